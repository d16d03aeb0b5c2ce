#!/usr/bin/python3
"""parameters.py - ids that a client sends: an array, or a filter of them

usage: parameters.py ROWS IDS...

To be run by parameters.sh.  A table of ROWS rows has as many different ids; at
most half of the client's IDS are among them.  Prints, for each number of ids and
without and with parallel workers, medians of five rounds in which the ways take
turns:

    stored          (SELECT members FROM audience) @> id, the same filter in a table
    first, tenth    $1 @> id with a binary parameter, as a statement of its own and
                    as the tenth execution of a prepared one; the last also as bytea
    built           the same, and the client's building of the filter
    literal         '\\x...'::ribbonfilter @> id, in the query's text
    = ANY           id = ANY ($1), a binary array that is ready

Times are the client's, from sending to the answer.  The array is always
serial, since a parallel plan sends it to its workers as digits, and is left out
beyond 1e7 ids.
"""

import statistics
import sys
import time

import numpy
import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format
from ribbonfilter import Filter

ROUNDS = 5
MOST_IN_ARRAY = 10_000_000
NAMES = ("stored", "first", "tenth", "bytea", "built", "literal", "= ANY")


class Raw:
    """Bytes of a parameter as they are sent, and its type's OID."""

    def __init__(self, data):
        self.data = data


def raw(oid_of_type):
    """A class of Raw, and its dumper, for parameters of a type."""
    kind = type("Raw", (Raw,), {})
    dump = {"format": Format.BINARY, "oid": oid_of_type, "dump": lambda self, value: value.data}
    return kind, type("RawDumper", (Dumper,), dump)


def array_bytes(ids):
    """A bigint[] in the binary format."""
    items = numpy.empty(len(ids), dtype=[("size", ">i4"), ("value", ">i8")])
    items["size"] = 8
    items["value"] = ids
    return numpy.array([1, 0, 20, len(ids), 1], dtype=">i4").tobytes() + items.tobytes()


class Client:
    def __init__(self, rows):
        self.connection = psycopg.connect(autocommit=True)
        self.connection.prepare_threshold = None
        self.connection.pgconn.nonblocking = 0      # else libpq moves all that is left for each 200 kB that it has sent
        self.run("CREATE EXTENSION ribbon")
        oid = self.run("SELECT 'ribbonfilter'::regtype::oid::int")[0]
        self.types = {name: raw(number) for name, number in (("filter", oid), ("bytea", 17), ("array", 1016))}
        for kind, dumper in self.types.values():
            self.connection.adapters.register_dumper(kind, dumper)
        self.run("CREATE TABLE audience (members ribbonfilter)")
        self.run(f"CREATE TABLE items AS SELECT (i * 7919) %% {rows} AS id, i AS payload"
                 f" FROM generate_series(1::bigint, {rows}) AS i")
        self.run("VACUUM ANALYZE items")

    def run(self, query, *values, **options):
        cursor = self.connection.cursor(binary=True).execute(query, values, **options)
        return cursor.fetchone() if cursor.description else None

    def value(self, kind, data):
        return self.types[kind][0](data)


def ways(client, ids, workers):
    """Each way's name, and a function that executes it and returns what it took, in seconds."""
    members = bytes(Filter.build(ids))
    client.run("TRUNCATE audience")
    client.run("INSERT INTO audience VALUES (%b)", client.value("filter", members))
    client.run("VACUUM ANALYZE audience")
    array = client.value("array", array_bytes(ids))
    counts = {}

    def timed(name, query, *values, build=False, serial=False, **options):
        def execute():
            client.run(f"SET max_parallel_workers_per_gather = {0 if serial else workers}")
            begun = time.perf_counter()
            sent = values
            if build:
                sent = (client.value("filter", bytes(Filter.build(ids))),)
            counts[name] = client.run(f"SELECT count(*) FROM items WHERE {query}", *sent, **options)[0]
            return time.perf_counter() - begun
        return name, execute

    filtered = client.value("filter", members)
    literal = f"'\\x{members.hex()}'::ribbonfilter @> id"

    # a statement that is prepared is another one than the first
    for _ in range(9):
        timed("tenth", "%b @> id", filtered, prepare=True)[1]()
    return counts, [timed("stored", "(SELECT members FROM audience) @> id"),
                    timed("first", "%b @> id", filtered),
                    timed("tenth", "%b @> id", filtered, prepare=True),
                    timed("bytea", "%b::ribbonfilter @> id", client.value("bytea", members)),
                    timed("built", "%b @> id", build=True),
                    timed("literal", literal),
                    timed("= ANY", "id = ANY (%b)", array, serial=True)], len(members)


def measure(client, rows, nids):
    rng = numpy.random.default_rng(nids)
    ids = rng.choice(2 * max(rows, nids), nids, replace=False).astype(numpy.int64)
    for workers in (0, 2):
        counts, all_ways, size = ways(client, ids, workers)
        if nids > MOST_IN_ARRAY:
            all_ways = all_ways[:-1]
        times = {name: [] for name, _ in all_ways}
        for _ in range(ROUNDS):
            for name, execute in all_ways:
                times[name].append(execute())
        exact = counts.get("= ANY", 0)
        assert exact <= counts["first"], counts
        assert len({counts[name] for name in NAMES[:-1]}) == 1, counts
        medians = {name: statistics.median(series) for name, series in times.items()}
        to_stored = {name: statistics.median(a / b for a, b in zip(times[name], times["stored"]))
                     for name in ("first", "tenth", "bytea", "literal")}
        figures = [f"{medians[name]:.2f}" if name in medians else "" for name in NAMES]
        figures += [f"{ratio:.2f}" for ratio in to_stored.values()]
        if "= ANY" in times:
            figures.append(f"{statistics.median(a / b for a, b in zip(times['built'], times['= ANY'])):.2f}")
        yield [f"{nids:,}", f"{size / 1e6:.1f}", workers, *figures]


def main():
    rows, sizes = int(float(sys.argv[1])), [int(float(n)) for argument in sys.argv[2:] for n in argument.split()]
    client = Client(rows)
    head = ["ids", "MB", "workers", *NAMES, "first : stored", "tenth : stored", "bytea : stored",
            "literal : stored", "built : = ANY"]
    print(f"{rows:,} rows, PostgreSQL {client.connection.info.server_version // 10000}; seconds\n")
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for nids in sizes:
        for line in measure(client, rows, nids):
            print("| " + " | ".join(map(str, line)) + " |", flush=True)


main()
