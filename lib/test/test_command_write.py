#!/usr/bin/python3
"""test_command_write.py - what the command writes, and where to

usage: test/run.sh lib/test_command_write
"""

import base64
import os
import re
import stat
import struct
import subprocess
from random import Random

from command import LIMIT, RIBBON, built, lines, read, refused, ribbon, run, write
from reports import check, compare, report


def check_round_trips():
    """What get writes is read back, by another reader than ours and by ours."""
    random = Random(5)
    alphabet = ["a", "N", "n", "\\", '"', ",", "\t", "|", "\n", "\r", ".", "é", " ", "'", "0", "x"]
    for trial in range(60):
        kind = ("csv", "text")[trial % 2]
        delimiter = random.choice(",;|\t'A :" if kind == "csv" else "|,;\t:AN")
        null = random.choice(["", "NULL", "\\N", "a", "n", "N", "x0", "é", "0", "\\n", "a\\n"])
        if delimiter in null or (kind == "text" and null == ""):
            null = "null"
        values = {f"key {i}": random.choice([None, null, null.replace("\\n", "\n"), "\\.",
                                             "".join(random.choices(alphabet, k=random.randrange(6)))])
                  for i in range(40)}
        options = ["--format", kind, "-d", delimiter, "--null", null]
        keys = [copy_field(key, kind, delimiter, null) for key in values]
        records = "".join(f"{key}{delimiter}{copy_field(value, kind, delimiter, null)}\n" for key, value in zip(keys, values.values()))
        map_ = built("map", "-v", "text", "-f", "1e-6", *options, stdin=records.encode())
        write("m.ribbon", map_)
        asked = "".join(f"{key}\n" for key in keys).encode()
        status, output, errors = ribbon("get", *options, "m.ribbon", stdin=asked)
        if output.decode() == records and built("map", "-v", "text", "-f", "1e-6", *options, stdin=output) == map_:
            continue
        # written by other rules: then it must mean the same
        same = status == 0 and built("map", "-v", "text", "-f", "1e-6", *options, stdin=output) == map_
        same = same and parsed_copy(output.decode(), kind, delimiter, null) == list(map(list, values.items()))
        check(f"{kind} {delimiter!r} {null!r}", same, f"{errors} {output} {records!r}")
    for option in (("build", "-f", "1e-6"), ("exact",)):
        for kind in ("csv", "text"):
            keys = sorted({"".join(random.choices(alphabet, k=random.randrange(1, 8))) for _ in range(300)})
            keys = [key for key in keys if option[0] == "build" or "\t" not in key]
            behind = ("\tt", "|t") if option[0] == "exact" else ("", "")
            plain = built(*option, "-z", stdin="".join(f"{key}{behind[0]}\0" for key in keys).encode())
            copied = "".join(f"{copy_field(key, kind, '|', 'NULL')}{behind[1]}\n" for key in keys).encode()
            made = built(*option, "--format", kind, "-d", "|", "--null", "NULL", stdin=copied)
            compare(f"{option[0]} of {kind}", made, plain)
            write("b.ribbon", made)
            compare(f"test of {kind} prints what it read",
                    ribbon("test", "--format", kind, "-d", "|", "--null", "NULL", "b.ribbon", stdin=copied), (0, copied, ""))


def check_damaged_text():
    """A character 0, as only a damaged map's text has, ends no null: what may follow that in memory is another argument."""
    write("m.ribbon", built("map", "-v", "text", stdin=b"1\tZm.ribbon\n").replace(b"Zm.ribbon", b"\0m.ribbon"))
    compare("a text that goes on behind a null", ribbon("get", "--null", "", "m.ribbon", stdin=b"1\n"), (0, b"1\t\0m.ribbon\n", ""))


def copy_field(value, kind, delimiter, null):
    """A field as COPY TO writes it."""
    if value is None:
        return null
    if kind == "csv":
        return '"' + value.replace('"', '""') + '"' if value in (null, "", "\\.") or set(value) & set(delimiter + '"\r\n') else value
    escapes = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
    written = [escapes.get(c, "\\" + c if c == delimiter else c) for c in value]
    # which COPY does not see to: a text that is written as a NULL is
    if "".join(written) == null and value.isascii():
        written[0] = f"\\{ord(value[0]):03o}"
    return "".join(written)


def parsed_copy(text, kind, delimiter, null):
    """The fields that COPY FROM reads in each line."""
    rows, row, field, i, quoted, in_quotes = [], [], "", 0, False, False

    def ended():
        nonlocal field, quoted
        row.append(None if raw() == null and not quoted else field)
        field, quoted = "", False

    start = 0

    def raw():
        return text[start:i]

    while i < len(text):
        c = text[i]
        if kind == "csv" and c == '"':
            if in_quotes and text[i + 1:i + 2] == '"':
                field += '"'
                i += 1
            else:
                in_quotes = not in_quotes
                quoted = True
        elif in_quotes:
            field += c
        elif kind == "text" and c == "\\":
            i += 1
            octal = re.match("[0-7]{1,3}", text[i:])
            if octal:
                field += chr(int(octal[0], 8))
                i += len(octal[0]) - 1
            else:
                field += {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}.get(text[i], text[i])
        elif c in (delimiter, "\n"):
            ended()
            start = i + 1
            if c == "\n":
                rows.append(row)
                row = []
        else:
            field += c
        i += 1
    return rows


def check_output():
    write("in", lines(*range(100)))
    expected = built("build", "in")
    built("build", "-o", "in", "in")
    compare("a file may be replaced by what is made of it", read("in"), expected)
    write("in", lines(*range(100)))
    with open("in", "rb") as stdin, open("in", "ab") as stdout:
        done = subprocess.run([RIBBON, "build"], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=LIMIT,
                              check=False)
    compare("but not through standard output", (done.returncode, b"is the output, too" in done.stderr, read("in")),
            (2, True, lines(*range(100))))
    write("some.ribbon", expected)
    for names, first in ((["some.ribbon"], "in"), (["some.ribbon", "in"], os.devnull)):
        with open(first, "rb") as stdin, open("in", "ab") as stdout:
            done = subprocess.run([RIBBON, "test", *names], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                                  timeout=LIMIT, check=False)
        compare("nor do answers follow the keys that are read",
                (done.returncode, b"is the output, too" in done.stderr, read("in")), (2, True, lines(*range(100))))
    write("part", built("exact", stdin=b"a\tt\n"))
    part = read("part")
    for names in (["exact"], ["test", "some.ribbon"], ["test", "part"]):
        with open("part", "ab") as stdout:
            done = subprocess.run([RIBBON, *names, "--after", "part"], input=b"a\tf\n", stdout=stdout, stderr=subprocess.PIPE,
                                  timeout=LIMIT, check=False)
        compare(f"nor what {names} writes a part of its chain",
                (done.returncode, b"is the output, too" in done.stderr, read("part")), (2, True, part))
    refused("a file without a name", ["build", "-o", "", "in"], b"", "the name of the output file is empty")
    for name in ("a" * 248, "a" * 249, "a" * 255):
        built("build", "-o", name, "in")
        built("build", "-o", name, "in")
        compare(f"a name of {len(name)} bytes, new and replaced", (read(name), [n for n in os.listdir(".") if "ribbon." in n]),
                (expected, []))
    os.mkfifo("unread")
    refused("one of 256 is refused before anything is read", ["build", "-o", "a" * 256, "unread"], b"", "File name too long")
    refused("so is a path that leaves no room for another name", ["build", "-o", "./" * 2046 + "out", "unread"], b"",
            "File name too long")
    refused("so is one through a file", ["build", "-o", "in/out", "unread"], b"", "Not a directory")

    write("target", b"old")
    os.chmod("target", 0o640)
    os.symlink("target", "link")
    built("build", "-o", "link", "in")
    compare("a link is followed, and modes stay", (os.path.islink("link"), read("target"), stat.S_IMODE(os.stat("target").st_mode)),
            (True, expected, 0o640))
    os.symlink("nowhere", "dangling")
    refused("a link to nowhere is refused", ["build", "-o", "dangling", "in"], b"", 'could not follow the link "dangling"')
    compare("and stays", (os.path.islink("dangling"), os.path.exists("nowhere")), (True, False))
    os.mkfifo("fifo")
    with subprocess.Popen([RIBBON, "build", "-o", "fifo", "in"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        reader = subprocess.run(["cat", "fifo"], capture_output=True, timeout=LIMIT, check=False)
        child.wait(LIMIT)
    compare("a pipe is written to", (child.returncode, reader.stdout, stat.S_ISFIFO(os.stat("fifo").st_mode)), (0, expected, True))
    refused("a directory is refused", ["build", "-o", ".", "in"], b"", "is a directory")
    refused("a folder that is not there", ["build", "-o", "no/such/file", "in"], b"", "no/such/file")
    refused("a full device", ["build", "-o", "/dev/full", "in"], b"", "No space left")
    write("out", b"old")
    write("bad", b"1\nx\n")
    refused("after an error", ["build", "-k", "integer", "-o", "out", "bad"], b"", "bad:2: ")
    compare("the old file is still there, and nothing else", (read("out"), [name for name in os.listdir(".") if name.startswith("out")]),
            (b"old", ["out"]))
    write("many", lines(*range(20000)))
    limited = ["bash", "-c", 'ulimit -f 8; exec "$0" build -o out many', RIBBON]
    done = subprocess.run(limited, capture_output=True, timeout=LIMIT, check=False)
    compare("a file that may not become as large",
            (done.returncode, b"File too large" in done.stderr, read("out"), [name for name in os.listdir(".") if name.startswith("out")]),
            (2, True, b"old", ["out"]))
    for word in ("--help", "--version"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([RIBBON, word], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
        compare(f"{word} to a full device", (done.returncode, b"No space left" in done.stderr), (2, True))
    with open("/dev/full", "wb") as full:
        done = subprocess.run([RIBBON, "build", "in"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
    compare("standard output that is full", (done.returncode, b"No space left" in done.stderr), (2, True))
    write("f.ribbon", expected)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([RIBBON, "test", "f.ribbon", "in"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
    compare("of test, too", (done.returncode, b"No space left" in done.stderr), (2, True))


def check_closed():
    """Standard streams that are closed: no file is taken for one."""
    write("in", lines(*range(100)))
    write("f.ribbon", built("build", "in"))
    for how, expected in (("build in >&-", 2), ("test f.ribbon in >&-", 2), ("test f.ribbon >&- <in", 2), ("build <&-", 2),
                          ("stats f.ribbon >&-", 2), ("build -o out in <&- >&- 2>&-", 0)):
        done = subprocess.run(["bash", "-c", f'"$0" {how}', RIBBON], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT, check=False)
        compare(how, (done.returncode, done.stdout, b"Bad file descriptor" in done.stderr), (expected, b"", expected == 2))
    compare("what is written is whole", read("out"), read("f.ribbon"))
    numbers = lines(*range(10**6, 22 * 10**5))
    write("many", numbers + b"a" * 40 + b"\n" + numbers.replace(b"\n", b"x\n"))
    done = subprocess.run(["bash", "-c", '"$0" build -k bytea -m 16MB <many 2>&-', RIBBON], stdout=subprocess.PIPE,
                          timeout=LIMIT, check=False)
    compare("a warning is not among the keys in a file",
            (done.returncode, done.stdout == built("build", "-q", "-k", "bytea", "many")), (0, True))


def check_forms():
    filter_ = built("build", stdin=lines(*range(50)))
    compare("hexadecimal", built("build", "--as", "hex", stdin=lines(*range(50))), b"\\x" + filter_.hex().encode() + b"\n")
    copy = b"PGCOPY\n\xff\r\n\0" + struct.pack(">iihi", 0, 0, 1, len(filter_)) + filter_ + struct.pack(">h", -1)
    compare("binary COPY", built("build", "--as", "copy", stdin=lines(*range(50))), copy)
    others = {len(other) % 3: other for other in (built("build", stdin=lines(*range(n))) for n in range(50, 110, 10))}
    for name, bytes_ in (("bytes", filter_), ("hexadecimal", b"\\x" + filter_.hex().encode() + b"\n"),
                         ("COPY's text", b"\\\\x" + filter_.hex().upper().encode() + b"\r\n"), ("binary COPY", copy),
                         ("COPY's base64", b"\\\\b" + base64.b64encode(filter_) + b"\r\n"),
                         *((f"base64 with {-n % 3} times =", b"\\b" + base64.b64encode(others[n]) + b"\n") for n in range(3))):
        write("form", bytes_)
        compare(f"{name} are read", ribbon("test", "--count", "form", stdin=lines(*range(50))), (0, b"50\n", ""))
        compare(f"{name} are read from a pipe", ribbon("stats", "-", stdin=bytes_), ribbon("stats", "form"))
        for cut in range(0, len(bytes_) - 4, 7):
            write("form", bytes_[:cut])
            status, output, errors = ribbon("stats", "form")
            if status != 2 or output or not errors.startswith("ribbon: "):
                report(f"{name}: cut to {cut} bytes", f"{status}, {output}, {errors}")
                break
        else:
            report(f"{name} that are cut short are refused")
    write("form", b"\\x00zz")
    refused("bad digits", ["stats", "form"], b"", "hexadecimal")
    for digits in (b"EQ-A", b"EQA=A===", b"E===", b"EQQ", b"EQF=", b"EQ\n=="):
        write("form", b"\\b" + digits)
        refused(f"base64 digits {digits}", ["stats", "form"], b"", "base64 digits, but")
    write("form", copy[:19] + struct.pack(">hi", 1, -1))
    refused("a COPY of NULL", ["stats", "form"], b"", "NULL")
    write("form", copy[:-2] + copy[19:])
    refused("a COPY of two rows", ["stats", "form"], b"", "of more than one row")
    write("form", copy[:-2])
    refused("a COPY without its end", ["stats", "form"], b"", "cut short")
    write("form", copy[:15] + struct.pack(">I", 0xFFFFFFFF) + copy[19:])
    refused("a COPY with a long header", ["stats", "form"], b"", "without a row")
    refused("keys and filter by one pipe", ["test", "-"], b"", "standard input cannot be the filter and the keys")
    refused("or keys and a part of a chain", ["test", "--after", "-", "form"], b"", "standard input cannot be the filter and the keys")
    refused("that is to be built", ["exact", "--after", "-"], b"", "standard input cannot be the filter and the keys")
    refused("or two parts", ["test", "--after", "-", "-", "form"], b"", "standard input cannot be two filters")
    refused("a file that is not there", ["stats", "nowhere"], b"", "nowhere")
    refused("no file", ["stats"], b"", "needs the name")
    refused("text", ["stats", "/dev/null"], b"", "no filter or map")
    texts = b"".join(b"%d\tvalue number %d\n" % (i, i % 9000) for i in range(60000))
    for command, keys in (("build", lines(*range(300000))), ("map", texts)):
        write("large", built(command, *(("-v", "text") if command == "map" else ()), stdin=keys))
        compare(f"large, by a pipe: {command}", ribbon("stats", "-", stdin=read("large")), ribbon("stats", "large"))
    refused("a device without end", ["stats", "/dev/zero"], b"", '"/dev/zero" is no filter or map')
    for begin in (b"", filter_):
        with subprocess.Popen(["cat", "-", "/dev/zero"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as endless:
            endless.stdin.write(begin)
            endless.stdin.close()
            done = subprocess.run([RIBBON, "stats", "-"], stdin=endless.stdout, capture_output=True,
                                  timeout=LIMIT, check=False)
            endless.stdout.close()
        check("a pipe without end", done.returncode == 2 and b'"standard input" is no filter or map' in done.stderr, done.stderr)


if __name__ == "__main__":
    run(check_round_trips, check_damaged_text, check_output, check_closed, check_forms)
