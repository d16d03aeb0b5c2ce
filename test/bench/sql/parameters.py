#!/usr/bin/python3
"""parameters.py - ids that a client sends: an array, or a filter of them

usage: parameters.py ROWS IDS..., or parameters.py nearest IDS...

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

The second usage wants pgvector 0.8 or later: the ten nearest of VECTORS rows, of which
one in six is listed, by an iterative scan of an HNSW index.  The filter is of LOWER_RATE,
and asks for a few rows more, of which the client takes the first ten that it has listed;
they must be those that the array finds.  Recall is their share of the truly nearest ten.
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
VECTORS, DIMENSIONS = 300_000, 32
LOWER_RATE, NEAREST, MORE = 0.001, 10, 15
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
    def __init__(self):
        self.connection = psycopg.connect(autocommit=True)
        self.connection.prepare_threshold = None
        self.connection.pgconn.nonblocking = 0      # else libpq moves all that is left for each 200 kB that it has sent
        self.run("CREATE EXTENSION ribbon")
        oid = self.run("SELECT 'ribbonfilter'::regtype::oid::int")[0]
        self.types = {name: raw(number) for name, number in (("filter", oid), ("bytea", 17), ("array", 1016))}
        for kind, dumper in self.types.values():
            self.connection.adapters.register_dumper(kind, dumper)
        self.version = f"PostgreSQL {self.connection.info.server_version // 10000}"

    def run(self, query, *values, **options):
        cursor = self.connection.cursor(binary=True).execute(query, values, **options)
        return cursor.fetchone() if cursor.description else None

    def value(self, kind, data):
        return self.types[kind][0](data)


def create_items(client, rows):
    client.run("CREATE TABLE audience (members ribbonfilter)")
    client.run(f"CREATE TABLE items AS SELECT (i * 7919) %% {rows} AS id, i AS payload"
               f" FROM generate_series(1::bigint, {rows}) AS i")
    client.run("VACUUM ANALYZE items")


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
        figures = [f"{medians[name]:.2f}" if name in medians else "" for name in NAMES]
        figures += [ratio(times, name, "stored") for name in ("first", "tenth", "bytea", "literal")]
        if "= ANY" in times:
            figures += [ratio(times, name, "= ANY") for name in ("first", "built")]
        yield [f"{nids:,}", f"{size / 1e6:.1f}", workers, *figures]


def ratio(times, above, below):
    """The median of what one way takes of another, in the same round."""
    return f"{statistics.median(a / b for a, b in zip(times[above], times[below])):.2f}"


def create_vectors(client):
    client.run("CREATE EXTENSION vector")
    client.run(f"CREATE TABLE vectors AS SELECT i AS id, ARRAY(SELECT random() + 0 * i FROM generate_series(1, {DIMENSIONS}))"
               f"::vector({DIMENSIONS}) AS place FROM generate_series(0::bigint, {VECTORS} - 1) AS i")
    client.run("SET maintenance_work_mem = '1GB'")
    client.run("CREATE INDEX ON vectors USING hnsw (place vector_l2_ops)")
    client.run("VACUUM ANALYZE vectors")
    client.run("SET hnsw.iterative_scan = strict_order")
    client.run("SET max_parallel_workers_per_gather = 0")
    by_index(client, True)


def by_index(client, whether):
    """The index's order, or a sort of all rows."""
    client.run(f"SET enable_seqscan = {not whether}")
    client.run(f"SET enable_sort = {not whether}")
    client.run(f"SET enable_indexscan = {whether}")


def nearest(client, condition, value, place, limit):
    query = f"SELECT id FROM vectors WHERE {condition} ORDER BY place <-> %s::vector LIMIT {limit}"
    return [row for row, in client.connection.cursor(binary=True).execute(query, (value, place))]


def measure_vectors(client, nids):
    rng = numpy.random.default_rng(nids)
    listed = rng.choice(VECTORS, VECTORS // 6, replace=False)
    ids = numpy.concatenate([listed, VECTORS + numpy.arange(nids - len(listed))]).astype(numpy.int64)
    known = set(listed.tolist())
    array = client.value("array", array_bytes(ids))

    def send(data, place):
        rows = nearest(client, "%b @> id", client.value("filter", data), place, MORE)
        return [row for row in rows if row in known][:NEAREST]

    members = bytes(Filter.build(ids, fpr=LOWER_RATE))
    all_ways = {"filter": lambda place: send(members, place),
                "built": lambda place: send(bytes(Filter.build(ids, fpr=LOWER_RATE)), place),
                "= ANY": lambda place: nearest(client, "id = ANY (%b)", array, place, NEAREST)}
    times = {name: [] for name in all_ways}
    right = 0
    for _ in range(ROUNDS):
        place = str(rng.random(DIMENSIONS).tolist())
        found = {}
        for name, execute in all_ways.items():
            begun = time.perf_counter()
            found[name] = execute(place)
            times[name].append(time.perf_counter() - begun)
        assert len(found["= ANY"]) == NEAREST and found["filter"] == found["built"] == found["= ANY"], found
        by_index(client, False)
        right += len(set(found["= ANY"]) & set(nearest(client, "id = ANY (%b)", array, place, NEAREST)))
        by_index(client, True)
    return [f"{nids:,}", f"{len(members) / 1e6:.1f}", *(f"{statistics.median(times[name]):.3f}" for name in all_ways),
            ratio(times, "filter", "= ANY"), ratio(times, "built", "= ANY"), f"{right / ROUNDS / NEAREST:.0%}"]


def print_line(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def print_table(head, lines):
    print_line(head)
    print("|" + " --- |" * len(head))
    for line in lines:
        print_line(line)


def main():
    rows, *sizes = [argument if argument == "nearest" else int(float(argument))
                    for word in sys.argv[1:] for argument in word.split()]
    client = Client()
    if rows == "nearest":
        create_vectors(client)
        vector, = client.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        print(f"The {NEAREST} nearest of {VECTORS:,} rows, pgvector {vector}, {client.version}; seconds\n")
        print_table(["ids", "MB", "filter", "built", "= ANY", "filter : = ANY", "built : = ANY", "recall"],
                    (measure_vectors(client, nids) for nids in sizes))
        return
    create_items(client, rows)
    print(f"{rows:,} rows, {client.version}; seconds\n")
    print_table(["ids", "MB", "workers", *NAMES, "first : stored", "tenth : stored", "bytea : stored",
                 "literal : stored", "first : = ANY", "built : = ANY"],
                (line for nids in sizes for line in measure(client, rows, nids)))


if __name__ == "__main__":
    main()
