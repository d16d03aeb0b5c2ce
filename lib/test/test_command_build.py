#!/usr/bin/python3
"""test_command_build.py - what the command makes of keys and values, and answers

usage: test/run.sh lib/test_command_build
"""

import datetime
import gzip
import os
import re
import subprocess

from command import LIMIT, RIBBON, built, lines, read, refused, ribbon, run, wait_read, write
from reports import check, compare


def check_build():
    members = lines(*range(1, 2001))
    filter_ = built("build", "-k", "integer", stdin=members)
    write("f.ribbon", filter_)
    status, output, errors = ribbon("test", "f.ribbon", stdin=members)
    compare("all members are selected", (status, output, errors), (0, members, ""))
    status, output, _ = ribbon("test", "-v", "f.ribbon", stdin=members)
    compare("with -v none, and the status is 1", (status, output), (1, b""))
    status, output, _ = ribbon("test", "--count", "f.ribbon", stdin=lines(*range(10000, 20000)))
    check("others rarely", status == 0 and 50 < int(output) < 150, output)
    status, output, _ = ribbon("test", "-q", "f.ribbon", stdin=members)
    compare("--quiet says nothing", (status, output), (0, b""))
    compare("order and duplicates do not matter",
            built("build", "-k", "integer", stdin=lines(*range(2000, 0, -1), 7, 7)) == filter_, True)
    compare("several files are one set", (write("a", lines(*range(1, 1000))), write("b", lines(*range(1000, 2001))),
                                          built("build", "-k", "integer", "a", "b"))[2] == filter_, True)
    compare("-o writes the same", (built("build", "-k", "integer", "-o", "g.ribbon", stdin=members), read("g.ribbon")),
            (b"", filter_))
    compare("rates are written in three ways",
            len({built("build", "-f", rate, stdin=members) for rate in ("0.0078125", "1/128", "0.78125%")}), 1)
    compare("nothing gives an empty filter", built("build", "-k", "uuid"), bytes.fromhex("1104000000"))
    status, output, _ = ribbon("stats", "f.ribbon")
    check("stats", b"keys             2000\n" in output and b"kind             burr\n" in output, output)
    compare("check finds nothing", ribbon("check", "f.ribbon", "g.ribbon"), (0, b"", ""))
    damaged = bytearray(filter_)
    damaged[-1] ^= 0x80
    write("d.ribbon", damaged)
    status, output, _ = ribbon("check", "d.ribbon")
    check("or says what it finds", status == 1 and output.startswith(b"d.ribbon: "), (status, output))
    for name, bytes_ in (("cut", filter_[:-1]), ("newer", bytes([filter_[0] ^ 3]) + filter_[1:]), ("empty", b""), ("text", b"a\n")):
        write(name, bytes_)
        status, output, errors = ribbon("check", "f.ribbon", name, "d.ribbon")
        compare(f"of each file: {name}", (status, [line.partition(b": ")[0] for line in output.splitlines()], errors),
                (1, [name.encode(), b"d.ribbon"], ""))
    write("cut.hex", b"\\x" + filter_[:-1].hex().encode())
    compare("in any form", ribbon("check", "cut.hex", "-", stdin=filter_[:-1]),
            (1, ribbon("check", "cut.hex")[1] + ribbon("check", "-", stdin=filter_[:-1])[1], ""))
    compare("by a pipe", ribbon("check", "f.ribbon", "-", stdin=b"x" * 100000), (1, b"-: unknown format version\n", ""))
    refused("a file that is not there", ["check", "nowhere"], b"", "nowhere")
    write("form", b"\\x00zz")
    write("copy", b"PGCOPY\n\xff\r\n\0")
    write("list.gz", gzip.compress(b"a\n"))
    for name, expected in (("nowhere", "could not open"), (".", "Is a directory"), ("form", "hexadecimal"), ("copy", "without a row"),
                           ("list.gz", "use zcat")):
        status, output, errors = ribbon("check", "f.ribbon", name, "d.ribbon", "f.ribbon")
        check(f"check goes on behind {name}, and says that it could not read it",
              status == 2 and output == ribbon("check", "d.ribbon")[1] and expected in errors and errors.count("\n") == 1,
              (status, output, errors))


def check_nothing():
    write("nothing", bytes([0x11, 0, 0, 0, 0]))     # of no type, as a program makes it that has seen no key
    compare("a filter of nothing is asked for any key", [ribbon("test", *options, "nothing", stdin=b"1\n")
                                                         for options in ((), ("-k", "integer"), ("--invert",))],
            [(1, b"", ""), (1, b"", ""), (0, b"1\n", "")])

    write("newer", bytes([0x11, 30, 0, 0, 0]))      # keys of a type that a later version may have
    status, output, errors = ribbon("stats", "newer")
    check("a type without a name", (status, errors) == (0, "") and b"key_type         unknown\n" in output, (status, output, errors))
    refused("which no text is a key of", ["test", "newer"], b"1\n", "standard input:1: ")


def check_shrink():
    write("s.ribbon", built("build", "-f", "0.001", stdin=lines(*range(5000))))
    small = built("shrink", "-f", "0.05", "s.ribbon")
    check("shrink makes a smaller one", len(small) < len(read("s.ribbon")) * 0.6, len(small))
    built("shrink", "-f", "0.05", "-o", "s.ribbon", "s.ribbon")
    compare("in place, too", read("s.ribbon"), small)
    refused("not to a lower rate", ["shrink", "-f", "0.0001", "s.ribbon"], b"", "below")
    refused("not without a rate", ["shrink", "s.ribbon"], b"", "--fpr")


def check_maps():
    for type_, values, bad in (("bigint", ["5", "-7", "9223372036854775807"], "9223372036854775808"), ("smallint", ["1", "2", "3"], "32768"),
                               ("integer", ["-2147483648", "0", "1"], "x"), ("boolean", ["true", "false", "true"], "perhaps"),
                               ("date", ["2024-02-29", "0044-03-15 BC", "infinity"], "2023-02-29"),
                               ("timestamp", ["2024-02-29 12:34:56.5", "1999-12-31 23:59:59.999999", "-infinity"], "noon"),
                               ("timestamptz", ["2024-02-29 12:00:00+00", "0044-03-15 00:00:00+00 BC", "2000-01-01 00:00:00+00"],
                                "2024-01-01 00:00:00"),
                               ("text", ["red", "", "grün"], None)):
        records = lines(*(f"{key}\t{value}" for key, value in zip("abc", values)))
        write("m.ribbon", built("map", "-v", type_, "-f", "1e-6", stdin=records))
        compare(f"values of type {type_}", ribbon("get", "m.ribbon", stdin=b"a\nb\nc\nd\n"), (0, records, ""))
        if bad is not None:
            refused(f"{type_}: {bad} is none", ["map", "-v", type_], lines(f"a\t{values[0]}", f"b\t{bad}"),
                    "standard input:2: no value of type " + type_)
    write("m.ribbon", built("map", "-f", "1e-6", "--format", "csv", stdin=b"a,1\nb,\nc,3\n,4\n"))
    compare("NULLs", ribbon("get", "m.ribbon", stdin=b"a\nb\nc\n"), (0, b"a\t1\nb\t\\N\nc\t3\n", ""))
    compare("only values", ribbon("get", "--values", "--null", "none", "m.ribbon", stdin=b"b\nx\nc\n"), (0, b"none\n\n3\n", ""))
    write("q.ribbon", built("map", "-v", "text", "-f", "1e-6", "--format", "csv", stdin=b'a,"x, ""y"""\nb,\nc,""\n'))
    compare("values in CSV are quoted where they must be", ribbon("get", "--format", "csv", "q.ribbon", stdin=b"a\nb\nc\n"),
            (0, b'a,"x, ""y"""\nb,\nc,""\n', ""))
    awkward = "a\tb\nc\\d\r\b\f\v"
    quoted = f'a,"{awkward}"\n'.encode()
    escaped = b"a\ta\\tb\\nc\\\\d\\r\\b\\f\\v\n"
    write("q.ribbon", built("map", "-v", "text", "-f", "1e-6", "--format", "csv", stdin=quoted + b"b,\nc,\\N\n"))
    compare("a value is one field of a line, as COPY writes it", ribbon("get", "q.ribbon", stdin=b"a\nb\nc\n"),
            (0, escaped + b"b\t\\N\nc\t\\\\N\n", ""))
    compare("with another delimiter, too", ribbon("get", "-d", "|", "q.ribbon", stdin=b"a\n"), (0, escaped.replace(b"a\t", b"a|"), ""))
    compare("which is read again", built("map", "-v", "text", "-f", "1e-6", "--format", "text",
                                         stdin=ribbon("get", "q.ribbon", stdin=b"a\nb\nc\n")[1]), read("q.ribbon"))
    compare("in CSV", ribbon("get", "--format", "csv", "q.ribbon", stdin=b"a\n"), (0, quoted, ""))
    compare("as it is where records end with zero bytes", ribbon("get", "-z", "q.ribbon", stdin=b"a\0"),
            (0, f"a\t{awkward}\0".encode(), ""))
    compare("a count", ribbon("get", "--count", "m.ribbon", stdin=b"b\nx\nc\n"), (0, b"2\n", ""))
    compare("nothing found", ribbon("get", "m.ribbon", stdin=b"x\n"), (1, b"", ""))
    compare("only values: a line for each line, of a NULL, too",
            ribbon("get", "--values", "--format", "csv", "m.ribbon", stdin=b"a\n\nc\n"), (0, b"1\n\n3\n", ""))
    refused("no value", ["map"], b"a\t1\nb\n", "standard input:2: there is no column 2")
    refused("shrink", ["shrink", "-f", "0.1", "m.ribbon"], b"", "a map")
    write("f.ribbon", built("build", stdin=b"a\n"))
    refused("get of a filter", ["get", "f.ribbon"], b"", "no values")


def check_chain():
    """Exact sets that correct each other: changed, new and removed keys, twice."""
    now = {i: i % 5 == 0 for i in range(5000)}
    after = []
    for day in range(3):
        if day > 0:
            now.update({i: not now[i] for i in range(day, 5000, 611)})
            now.update({i: i % 5 == 0 for i in range(5000 * day, 5000 * day + 200)})
        records = lines(*(f"{i}\t{'ft'[member]}" for i, member in now.items()))
        write(f"part{day}.ribbon", built("exact", "-k", "integer", *after, stdin=records))
        compare(f"a chain of {day + 1} makes no mistake", ribbon("test", *after, f"part{day}.ribbon", stdin=lines(*now)),
                (0, lines(*(i for i, member in now.items() if member)), ""))
        after += ["--after", f"part{day}.ribbon"]
    check("what changed takes less", len(read("part2.ribbon")) * 4 < len(read("part0.ribbon")), len(read("part2.ribbon")))
    compare("nothing has changed", built("exact", "-k", "integer", *after, stdin=records),
            built("exact", "-k", "integer", stdin=lines(*(f"{i}\tf" for i in now))))
    refused("a chain of keys of another type", ["exact", *after], b"a\tt\n", "integer")
    write("plain.ribbon", built("build", "-k", "integer", stdin=b"1\n"))
    refused("a filter is not corrected", ["exact", "-k", "integer", "--after", "plain.ribbon"], b"1\tt\n", "is no exact set")
    write("texts.ribbon", built("exact", stdin=b"a\tt\n"))
    refused("a part of another type", ["test", "--after", "texts.ribbon", "part0.ribbon"], b"1\n",
            'the keys of "texts.ribbon" are of type text, not integer')
    refused("when another is built", ["exact", "-k", "integer", "--after", "part0.ribbon", "--after", "texts.ribbon"], b"1\tt\n",
            'the keys of "texts.ribbon" are of type text, not integer')
    refused("nor does it correct", ["test", "--after", "part0.ribbon", "plain.ribbon"], b"1\n", "is no exact set")


def check_exact():
    universe = lines(*(f"{i}\t{'t' if i % 9 == 0 else 'f'}" for i in range(3000)))
    write("e.ribbon", built("exact", "-k", "integer", "--as-of", "2024-02-29 12:00Z", stdin=universe))
    members = lines(*range(0, 3000, 9))
    compare("an exact set makes no mistake", ribbon("test", "e.ribbon", stdin=lines(*range(3000))), (0, members, ""))
    status, output, errors = ribbon("stats", "e.ribbon")
    check("its stats", status == 0 and b"universe         3000\n" in output and b"as_of            2024-02-29 12:00:00+00\n" in output, output)
    write("n.ribbon", built("exact", "--as-of", "now", stdin=b"a\tt\n"))
    got = re.search(r"^as_of +(.*)\+00$", ribbon("stats", "n.ribbon")[1].decode(), re.M)[1]
    age = datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.fromisoformat(got + "+00:00")
    check("as of now", 0 <= age.total_seconds() < LIMIT, age)
    refused("as of a time of no zone", ["exact", "--as-of", "2024-02-29 12:00"], b"", "in ISO 8601 with its offset from UTC")
    check_chain()
    write("r.ribbon", built("exact", "-k", "integer", "--fpr", "1/256", stdin=universe))
    compare("nor with a rate", ribbon("test", "r.ribbon", stdin=lines(*range(3000))), (0, members, ""))
    check("which its stats say", b"fpr              0.0039062\n" in ribbon("stats", "r.ribbon")[1], ribbon("stats", "r.ribbon")[1])
    passed = len(ribbon("test", "r.ribbon", stdin=lines(*range(3000, 103000)))[1].split())
    check("at which others pass", 300 < passed < 480, passed)
    refused("a rate that is none", ["exact", "--fpr", "0.6"], b"a\tt\n", "0.5, not 0.6")
    refused("the rate 1", ["exact", "--fpr", "1"], b"a\tt\n", "0.5, not 1")
    refused("neither true nor false", ["exact"], b"a\tx\n", "standard input:1: no value of type boolean")
    refused("shrink of an exact set", ["shrink", "-f", "0.1", "e.ribbon"], b"", "exact")
    compare("of a NULL it is not known", built("exact", "--format", "csv", stdin=b"a,t\nb,\nc,f\n"),
            built("exact", stdin=b"a\tt\nc\tf\n"))


def check_conflict():
    """Which key has two values is said, wherever it comes from."""
    refused("two values of a key", ["map"], b"a\t1\nb\t2\na\t3\n",
            'standard input:1: key "a" has two values, "1" here, and "3" in line 3')
    refused("of a type", ["map", "-v", "date"], b"a\t2024-02-29\na\t2024-02-28\n", '"2024-02-29" here, and "2024-02-28" in line 2')
    refused("that a terminal would obey", ["map", "-v", "text"], b"a\t\033[31m\na\tx\n", 'two values, "?[31m" here, and "x"')
    refused("the same value twice is none of them", ["map"], b"a\t1\na\t1\na\t2\n", '"1" here, and "2" in line 3')
    refused("NULL and a value", ["map", "--format", "csv"], b"a,\nb,2\na,3\n", "NULL here, and \"3\" in line 3")
    refused("a long one is cut off", ["map", "-v", "text"], b"\xc3\xa9" * 99 + b"\tx\n" + b"\xc3\xa9" * 99 + b"\ty\n",
            f'key "{"é" * 27}..." has')
    refused("a line of CSV is its first one", ["map", "--format", "csv"], b'"x\ny",1\n"a\nb",1\n"x\ny",2\n', "standard input:1: ")
    refused("a key on both sides", ["exact"], b"a\tt\nb\tt\na\tf\n", 'standard input:1: key "a" is a member here, and not in line 3')
    refused("the other way round", ["exact"], b"a\tf\na\tt\n", "no member here, but is one in line 2")
    refused("beside records of which it is not known", ["exact", "--format", "csv"], b"a,\na,f\na,\na,t\n",
            'standard input:2: key "a" is no member here, but is one in line 4')
    write("one", b"a\t1\nb\t2\n")
    write("two", b"c\t1\nb\t3\n")
    refused("of two files", ["map", "one", "two"], b"", 'one:2: key "b" has two values, "2" here, and "3" in line 2 of two')
    refused("of a file and a pipe", ["map", "one", "-"], b"b\t3\n", '"3" in line 1 of standard input')
    with open("two", "rb") as stdin:
        done = subprocess.run([RIBBON, "map", "one", "-"], stdin=stdin, capture_output=True, timeout=LIMIT, check=False)
    check("of a file by standard input", b'"3" in line 2 of standard input' in done.stderr, done.stderr)
    done = subprocess.run(["bash", "-c", '"$0" map <(cat one) <(cat two)', RIBBON], capture_output=True, timeout=LIMIT, check=False)
    check("of pipes that have names", b'two values, "2" here, and "3" in line 2 of /dev/fd/' in done.stderr, done.stderr)
    with subprocess.Popen(["bash", "-c", '"$0" map <(true) <(printf "a\\t1\\na\\t2\\n")', RIBBON],
                          stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:  # whose input does not end
        said = wait_read(child.stderr.fileno(), 30)
        child.kill()
    check("behind one of no line", b'two values, "1" here, and "2" in line 2' in said, said)
    os.makedirs("range", exist_ok=True)
    os.mkfifo("range/21BD1")
    write("rest", lines(*(f"{'0' * 35}:{value}" for value in (1, 1, 2))))
    done = subprocess.run(["bash", "-c", 'cat rest >range/21BD1 & "$0" map --format sha1 range/21BD1', RIBBON],
                          capture_output=True, timeout=LIMIT, check=False)
    check("of a pipe that is named for a range",
          b'range/21BD1:1: key "' + b"0" * 35 + b'" has two values, "1" here, and "2" in line 3' in done.stderr, done.stderr)
    many = lines(*(f"{i}\t1" for i in range(700000)), "5\t2")
    write("many", many)
    for more in ((), ("-m", "16MB", "--threads", "3")):
        refused(f"of many {more}", ["map", "-k", "integer", *more, "many"], b"", 'many:6: key "5" has two values, "1" here, and "2" in line 700001')
    write("repeated", lines("5\t2", *(f"{i % 50000}\t1" for i in range(1200000))))
    refused("in front of a file that is not begun", ["map", "-k", "integer", "-m", "16MB", "repeated", "one"], b"",
            'repeated:1: key "5" has two values, "2" here, and "1" in line 7')
    refused("of a pipe that is too long to be kept", ["map", "-k", "integer"], lines(*(f"{i:020}\t1" for i in range(800000)), "5\t2"),
            "a key has two values, 1 and 2; its hash is ")
    texts = b"a\tmlnmapgkbllpfebf\nb\tmjiiklhbngcpocim\n"   # whose XXH3-64 is the same
    for before in (b"", b"x" * 1000000 + b"\ty\n"):
        refused(f"two texts of one hash, behind {len(before)} bytes", ["map", "-v", "text"], before * 17 + texts,
                "two texts have the same hash: use another seed than 0\n")
    compare("which another seed tells apart", ribbon("map", "-v", "text", "--seed", "1", "-o", "texts.ribbon", stdin=texts), (0, b"", ""))


def check_memory():
    keys = lines(*range(1200000))
    compare("keys in files give the same bytes", built("build", "-k", "integer", "-m", "16M", "--threads", "2", stdin=keys),
            built("build", "-k", "integer", "-m", "1G", "--threads", "1", stdin=keys))
    refused("a folder for them that is not there", ["build", "-k", "integer", "-m", "16M", "--tmp", "/no/such"], keys, "/no/such")


if __name__ == "__main__":
    run(check_build, check_nothing, check_shrink, check_maps, check_exact, check_conflict, check_memory)
