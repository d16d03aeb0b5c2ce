#!/usr/bin/python3
"""test_command.py - the command ribbon: what it reads, writes, says and returns

It is the command with every sanitizer, build/unit/lib/ribbon.

usage: test/run.sh lib/test_command
"""

import base64
import bz2
import datetime
import gzip
import hashlib
import lzma
import os
import pty
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
from random import Random

sys.path.insert(0, "test/lib")
from reports import check, compare, finish, report

RIBBON = os.path.abspath("build/unit/lib/ribbon")
LIMIT = 120     # seconds that any call may take


def ribbon(*arguments, stdin=b"", **more):
    """The status, the output and the errors of a call."""
    done = subprocess.run([RIBBON, *arguments], input=stdin, capture_output=True, timeout=LIMIT, **more)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def built(*arguments, stdin=b""):
    status, bytes_, errors = ribbon(*arguments, stdin=stdin)
    if status != 0:
        raise SystemExit(f"{arguments}: {errors}")
    return bytes_


def lines(*texts):
    return "".join(f"{text}\n" for text in texts).encode()


def write(name, bytes_):
    with open(name, "wb") as file:
        file.write(bytes_)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def refused(name, arguments, stdin, expected, status=2):
    """An error: status 2, nothing on standard output, and this in the message, once."""
    got, output, errors = ribbon(*arguments, stdin=stdin)
    good = got == status and output == b"" and expected in errors and errors.startswith("ribbon: ") and errors.count("\n") == 1
    check(name, good, f"status {got}, output {output[:50]}, {errors}")


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


def check_lines():
    def same(name, one, other, *options):
        compare(name, built("build", *options, stdin=one), built("build", *options, stdin=other))

    same("the last line may lack its end", b"a\nb", b"a\nb\n")
    same("lines may end with CR LF", b"a\r\nb\r\n", b"a\nb\n")
    same("a byte-order mark is none of the key", b"\xef\xbb\xbfa\nb\n", b"a\nb\n")
    same("an empty line is an empty text", b"a\n\n", b"\na\n\n\n")
    check("which is a key", built("build", stdin=b"a\n\n") != built("build", stdin=b"a\n"), "the same")
    same("records may end with zero bytes", b"a\nb\0c\0", b"c\0a\nb", "-z")
    same("a NULL is left out", b"a\n\\N\nb\n", b"a\nb\n", "--null", "\\N")
    same("a column of lines", b"x\ta\ty\nz\tb\n", b"1\ta\n1\tb\n", "-c", "2")
    same("another delimiter", b"x|a\n", b"y|a\n", "-c", "2", "-d", "|")
    refused("a zero byte in a text", ["build"], b"a\nb\0c\n", "standard input:2: a key is not text in UTF-8")
    refused("a column that is not there", ["build", "-c", "3"], b"1\t2\t3\n1\t2\n", "standard input:2: there is no column 3")
    long = b"x" * 5000000
    began = time.monotonic()
    write("long.ribbon", built("build", "-z", stdin=long + b"\0short"))
    status, output, _ = ribbon("test", "long.ribbon", "-", stdin=b"\n" * 100 + long + b"\n" + b"y\n")
    check("a line of 5 MB is found again", status == 0 and output == long + b"\n", (status, len(output)))
    print(f"# that took {time.monotonic() - began:.1f} s")


def check_csv():
    def same(name, one, other, *options):
        compare(name, built("build", "--format", "csv", *options, stdin=one), built("build", stdin=other))

    keys = built("build", "-z", stdin=b'a "b"\0c\0d\ne\0f,g\0')
    compare("fields of CSV, with quotes, delimiters and lines in them",
            built("build", "--format", "csv", stdin=b'"a ""b""",1\nc,2\n"d\ne",3\r\n"f,g",4'), keys)
    compare("quotes may be within a field", built("build", "--format", "csv", stdin=b'a" ""b"""\nc\n"d\ne"\n"f,"g\n'), keys)
    same("an empty field is NULL, an empty one in quotes is not", b'a\n\n""\n', b"a\n\n")
    same("a column by its name", b'"id","the name"\n1,a\n2,b\n', b"a\nb\n", "--header", "-c", "the name")
    same("a header alone", b"id\n", b"", "--header", "-c", "id")
    refused("no such column", ["build", "--format", "csv", "--header", "-c", "x"], b"id,name\n", "standard input:1: there is no column \"x\"")
    refused("a quote without an end", ["build", "--format", "csv"], b'a\n"b\nc\n', "standard input:2: a quoted field does not end")
    refused("errors know their line", ["build", "--format", "csv", "-k", "integer"], b'"1"\n2\n"\n3"\nfour\n',
            'standard input:5: no key of type integer: "four"')
    refused("a carriage return ends no line", ["build", "--format", "csv"], b'a\n"b\r"\nc\rd\r',
            "standard input:3: a carriage return without a newline behind it")
    same("one in quotes is of the field", b'"a\rb"\r\n', b"a\rb\n")
    compare("a BOM, and CR LF", built("build", "--format", "csv", stdin=b"\xef\xbb\xbfa\r\nb\r\n"), built("build", stdin=b"a\nb\n"))
    began = time.monotonic()
    field = b'"' + b'x""\n' * 1000000 + b'"'
    built("build", "--format", "csv", stdin=field + b"\n")
    print(f"# a quoted field of 4 MB took {time.monotonic() - began:.1f} s")


def check_text():
    """COPY's text, as PostgreSQL 15 reads it."""
    def same(name, text, *keys):
        compare(name, built("build", "--format", "text", stdin=text), built("build", "-z", stdin=b"".join(key + b"\0" for key in keys)))

    same("backslashes of COPY", b"a\\tb\\\\c\\n\tx\n\\101\\x42\\q\\x4\\0601\n", b"a\tb\\c\n", b"ABq\x0401")
    same("a NULL, and a text that looks like it", b"\\N\n\\\\N\n", b"\\N")
    same("one in front of a newline", b"a\\\nb\nc\\\\\nd\\", b"a\nb", b"c\\", b"d")
    same("nothing follows the end of the data", b"a\n\\.\nb\n", b"a")
    same("a tab behind one is none between columns", b"a\\\tb\tc\n", b"a\tb")
    same("a carriage return behind one is of the field", b"a\\\rb\r\n", b"a\rb")
    refused("any other ends no line", ["build", "--format", "text"], b"a\nb\rc\r\n",
            "standard input:2: a carriage return without a newline behind it")
    same("an empty text", b"\n", b"")
    compare("another delimiter", built("build", "--format", "text", "-d", "|", "-c", "2", stdin=b"a\\|b|c|d\n"), built("build", stdin=b"c\n"))
    compare("another NULL", built("build", "--format", "text", "--null", "NULL", stdin=b"NULL\nN\\ULL\n"), built("build", stdin=b"NULL\n"))
    refused("no text has a zero byte", ["build", "--format", "text"], b"a\\000\n", "standard input:1: a key is not text in UTF-8")
    refused("nor has a value", ["map", "--format", "text", "-v", "text"], b"a\tb\\000\n",
            "standard input:1: a value is not text in UTF-8")


def check_encoding():
    """Texts are UTF-8, or of a database that does not know what its bytes mean."""
    for type_ in ("text", "char", "enum"):
        filter_ = built("build", "-k", type_, "-f", "1e-6", stdin="caf\u00e9\n\u20ac\n\U0001f600\n".encode())
        write("t.ribbon", filter_)
        compare(f"{type_}: UTF-8 is the same either way",
                built("build", "-k", type_, "-f", "1e-6", "--sql-ascii", stdin="caf\u00e9\n\u20ac\n\U0001f600\n".encode()),
                filter_)
        for name, bad in (("Latin-1", b"caf\xe9"), ("a surrogate", b"\xed\xa0\x80"), ("too long a form", b"\xc0\xaf"),
                          ("half a character", b"\xe2\x82"), ("beyond Unicode", b"\xf4\x90\x80\x80")):
            for arguments in (["build", "-k", type_], ["test", "t.ribbon"]):
                refused(f"{type_}: {name}, {arguments[0]}", arguments, b"x\n" + bad + b"\n",
                        "standard input:2: a key is not text in UTF-8 without zero bytes (--sql-ascii takes bytes as they are)")
            write("a.ribbon", built("build", "-k", type_, "-f", "1e-6", "--sql-ascii", stdin=bad + b"\n"))
            compare(f"{type_}: {name} in SQL_ASCII", ribbon("test", "--sql-ascii", "a.ribbon", stdin=bad + b"\nx\n"),
                    (0, bad + b"\n", ""))
        refused(f"{type_}: zero bytes are in no database", ["build", "-k", type_, "--sql-ascii"], b"a\0b\n",
                "standard input:1: a text has a zero byte")


def check_types():
    for type_, one, other, bad in (
            ("integer", "42", " +42 ", "4.2"), ("bigint", "-9223372036854775808", "-9223372036854775808", "9223372036854775808"),
            ("uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}", "a0"),
            ("bytea", "\\x6162", "ab", "\\x6"), ("numeric", "1.50", "15e-1", "1,5"), ("float8", "0", "-0.0", "zero"),
            ("date", "2024-02-29", "2024-02-29", "2023-02-29"), ("boolean", "t", "yes", "maybe"),
            ("timestamptz", "2024-01-01 02:00+02", "2024-01-01T00:00:00Z", "2024-01-01 00:00"),
            ("timestamp with time zone", "2024-01-01 02:00+02", "2024-01-01T00:00:00Z", "2024-01-01 00:00"),
            ("Double Precision", "0.5", "5e-1", "half"), ("interval", "1 mon", "P30D", "1 moon"), ("timetz", "01:02:03+02", "01:02:03+02:00", "01:02:03"),
            ("varbit", "00011111", "x1F", "2"), ("jsonb", '{"b":1.0,"a":[]}', ' {"a": [], "b" : 1} ', "{"),
            ("char", "a", "a   ", None), ("enum", "a", "a", None), ("oid", "1", "1", "-1")):
        filter_ = built("build", "-k", type_, "-f", "1e-6", stdin=lines(one))
        write("t.ribbon", filter_)
        compare(f"{type_}: {other} is {one}", ribbon("test", "t.ribbon", stdin=lines(other)), (0, lines(other), ""))
        if bad is not None:
            refused(f"{type_}: {bad} is none", ["build", "-k", type_], lines(one, bad), "standard input:2: no key of type")
            refused(f"{type_}: nor is it asked for", ["test", "t.ribbon"], lines(bad), "standard input:1: no key of type")
    refused("no such type", ["build", "-k", "nonsense"], b"", "nonsense")
    write("t.ribbon", built("build", "-k", "char", stdin=b"a  \n"))
    compare("a filter of char(n) is asked for texts", ribbon("test", "-k", "text", "t.ribbon", stdin=b"a \n"), (0, b"a \n", ""))
    write("t.ribbon", built("build", "-k", "oid", stdin=b"1\n"))
    refused("another type than the filter's", ["test", "-k", "text", "t.ribbon"], b"", "type oid, not text")
    for type_ in "row", "array", "range", "multirange", "hash":
        refused(f"{type_}, which has no text", ["build", "-k", type_], b"", f"keys of type {type_} cannot be read from text")
    write("t.ribbon", built("build", "-k", "integer", "-f", "1e-6", stdin=lines(1)))
    refused("messages show no control characters", ["test", "t.ribbon"], b"\x1b[31m\n", '"?[31m"')
    refused("nor do they from a file's name", ["test", "t.ribbon", "\x1b[31m\nribbon: "], b"", '"?[31m?ribbon: "')


def check_addresses():
    """Lists of addresses and networks, as blocklists have them."""
    list_ = b"# a list\n\n1.2.3.4\n10.0.0.0/8 ; SBL1\n  2001:db8::/32\t# six\r\n;\n"
    filter_ = built("build", "-k", "inet", "-f", "1e-6", stdin=b"1.2.3.4\n10.0.0.0/8\n2001:db8::/32\n")
    for name in ("inet", "cidr", "INET"):
        compare(f"comments and empty lines are no addresses, {name}", built("build", "-k", name, "-f", "1e-6", stdin=list_), filter_)
    write("i.ribbon", filter_)
    compare("nor are they asked for", ribbon("test", "i.ribbon", stdin=list_ + b"1.2.3.5\n10.0.0.0\n"),
            (0, b"1.2.3.4\n10.0.0.0/8 ; SBL1\n  2001:db8::/32\t# six\n", ""))
    compare("an address with its whole mask, and a longer way to write one",
            ribbon("test", "--count", "i.ribbon", stdin=b"1.2.3.4/32\n2001:0DB8:0:0::0:0/32\n"), (0, b"2\n", ""))
    refused("a name is no address", ["build", "-k", "inet"], b"1.2.3.4\nexample.org # x\n", "standard input:2: no key of type inet")
    for line in b"1.2.3.4\0", b"\0":
        refused(f"nor are zero bytes blanks, {line}", ["build", "-k", "inet"], line + b"\n", "standard input:1: no key of type inet")
    refused("in columns there are no comments", ["map", "-k", "inet"], b"# a\t1\n", "standard input:1: no key of type inet")


def check_sha1():
    digests = [hashlib.sha1(str(i).encode()).digest() for i in range(1000)]
    counts = [(i * 7919) % 100000 + 1 for i in range(1000)]
    leaked = b"".join(f"{digest.hex().upper()}:{count}\r\n".encode() for digest, count in zip(digests, counts))
    write("p.ribbon", built("build", "--format", "sha1", "-f", "1e-6", stdin=leaked))
    compare("a list of SHA-1 and counts", ribbon("test", "--count", "--format", "sha1", "p.ribbon", stdin=leaked), (0, b"1000\n", ""))
    compare("its keys are bytea", built("build", "-k", "bytea", "-f", "1e-6", stdin=lines(*("\\x" + d.hex() for d in digests))),
            read("p.ribbon"))
    write("c.ribbon", built("map", "--format", "sha1", "-v", "decade", "-f", "1e-6", stdin=leaked))
    compare("a map to the count's decade", ribbon("get", "--values", "--format", "sha1", "c.ribbon", stdin=leaked),
            (0, lines(*(len(str(count)) - 1 for count in counts)), ""))
    one = b"00" * 20
    refused("not a digit", ["build", "--format", "sha1"], one + b":1\n" + one[:38] + b"0g:1\n", "standard input:2: not a hexadecimal digit")
    for size in (0, 2, 31, 38, 39, 41, 130):
        refused(f"{size} digits", ["build", "--format", "sha1"], b"0" * size + b":1\n", f"standard input:1: {size} hexadecimal digits are no hash")
    refused("a line that is cut off to another hash", ["build", "--format", "sha1"], one + b":1\n" + one[:32] + b"\n",
            "standard input:2: a hash of 32 hexadecimal digits, where those before have 40")
    for more in (b":", b":1x", b": 1 2", b"::1"):
        refused(f"{more} behind a hash", ["build", "--format", "sha1"], one + b":7\n" + one + more + b"\n",
                "standard input:2: what follows the hash is no count")
    refused("a count of 0", ["map", "--format", "sha1", "-v", "decade"], one + b":0\n", "standard input:1: a count is not positive")
    refused("no count", ["map", "--format", "sha1", "-v", "decade"], one + b"\n", "standard input:1: there is no column 2")
    for size in (16, 20, 28, 32, 48, 64):
        digest = bytes(range(size))
        write("p.ribbon", built("build", "-k", "bytea", "-f", "1e-6", stdin=b"\\x" + digest.hex().encode() + b"\n"))
        compare(f"hashes of {size} bytes", ribbon("test", "--count", "--format", "sha1", "p.ribbon", stdin=digest.hex().encode() + b"\n"),
                (0, b"1\n", ""))
    write("e.ribbon", built("exact", "--format", "sha1", stdin=b"".join(b"%s:%s\n" % (digest.hex().encode(), b"ft"[i % 2:i % 2 + 1])
                                                                       for i, digest in enumerate(digests))))
    compare("an exact set of hashes", ribbon("test", "--count", "--format", "sha1", "e.ribbon", stdin=leaked), (0, b"500\n", ""))


def check_ranges():
    """Hashes of a range, which begin with the name of the file."""
    digests = [b"\x21\xbd" + bytes([0x10 + i]) + hashlib.sha1(str(i).encode()).digest()[3:] for i in range(16)]
    rest = b"".join(f"{digest.hex()[5:].upper()}:{i}\r\n".encode() for i, digest in enumerate(digests))
    whole = built("build", "--format", "sha1", "-f", "1e-6", stdin=b"".join(digest.hex().encode() + b"\n" for digest in digests))
    for name in ("21BD1.txt", "21bd1"):
        write(name, rest)
        compare(f"a range of the name {name}", built("build", "--format", "sha1", "-f", "1e-6", name), whole)
    compare("or by an option", built("build", "--format", "sha1", "-f", "1e-6", "--prefix", "21BD1", stdin=rest), whole)
    write("p.ribbon", whole)
    compare("asked likewise", ribbon("test", "--count", "--format", "sha1", "p.ribbon", "21BD1.txt"), (0, b"16\n", ""))
    refused("without a prefix", ["build", "--format", "sha1"], rest, "standard input:1: 35 digits are the end of a hash in a range")
    write("range21BD1.txt", rest)
    refused("nor with another name", ["build", "--format", "sha1", "range21BD1.txt"], b"", "range21BD1.txt:1: 35 digits")
    for bad in ("21BD", "21BD1F", "21BDG"):
        refused(f"a prefix {bad}", ["build", "--format", "sha1", "--prefix", bad], rest, "invalid prefix")
    refused("a prefix of texts", ["build", "--prefix", "21BD1"], b"a\n", "use --format sha1")


def check_looks():
    """Lines that are hardly what they are taken for are answered, with one warning; --quiet has none."""
    digests = [hashlib.sha1(str(i).encode()).hexdigest() for i in range(4)]
    write("p.ribbon", built("build", "--format", "sha1", "-f", "1e-6", stdin=lines(*digests)))

    def said(name, arguments, stdin, expected):
        status, _, errors = ribbon(*arguments, stdin=stdin)
        good = status != 2 and (errors == "" if expected is None else
                                expected in errors and "--format sha1" in errors and errors.count("\n") == 1)
        check(name, good, (status, errors))
        compare(f"{name}: --quiet is quiet", ribbon(arguments[0], "-q", *arguments[1:], stdin=stdin)[2], "")

    said("a hash asked of a filter of bytea", ["test", "p.ribbon"], lines("abc", *digests), "standard input:2: this looks like a hash")
    said("with its count", ["test", "p.ribbon"], lines(*(f"{digest}:3" for digest in digests)), "1: this looks like a hash in hexadecimal digits and a count")
    said("as COPY writes it", ["test", "p.ribbon"], lines(*(f"\\x{digest}" for digest in digests)), None)
    said("an exact set of bytea", ["exact", "-k", "bytea"], lines(*(f"{digest}\tt" for digest in digests)), "1: this looks like")
    said("a list of hashes and counts, taken for texts", ["build"], lines(*(f"{digest}:3" for digest in digests)), "1: this looks like")
    said("a range of them", ["build"], lines(*(f"{digest[5:]}:3" for digest in digests)), "1: this looks like")
    said("texts that are hashes", ["build"], lines(*digests), None)
    said("texts with a colon", ["build"], lines(*(f"{digest}:x" for digest in digests), f"{digests[0]}:", f"{digests[0]}g:3"), None)
    for size in (32, 40, 56, 64, 96, 128):
        said(f"bytea of {size} digits", ["build", "-k", "bytea"], lines("a" * size), "looks like")
    for size in (30, 35, 41, 126):
        said(f"bytea of {size} digits", ["build", "-k", "bytea"], lines("a" * size), None)
    said("in CSV", ["map", "-k", "bytea", "--format", "csv"], lines(f"{digests[0]},1"), "1: this looks like")


def check_compressed():
    for command, how, bytes_ in (("gzip", "zcat", gzip.compress(b"a\n")), ("xz", "xzcat", lzma.compress(b"a\n")),
                                 ("bzip2", "bzcat", bz2.compress(b"a\n")), ("zip", "unzip", b"PK\3\4..")):
        write("list.z", bytes_)
        refused(f"{command} is said to be compressed", ["build", "list.z"], b"", f'"list.z" is compressed: use {how}')
        refused(f"{command} by a pipe", ["map"], bytes_, "is compressed: use " + how)
        refused(f"{command}, of a filter", ["test", "list.z"], b"a\n", '"list.z" is compressed')
    write("list.b", built("build", stdin=b"BZh9\n"))
    compare("a text may begin so", ribbon("test", "list.b", stdin=b"BZh9\n"), (0, b"BZh9\n", ""))


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
    check("of a pipe that is named for a range", b'range/21BD1:1: key "' + b"0" * 35 + b'" has two values, "1" here, and "2" in line 3' in done.stderr, done.stderr)
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
        values = {f"key {i}": random.choice([None, null, null.replace("\\n", "\n"), "\\.", "".join(random.choices(alphabet, k=random.randrange(6)))])
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
        compare(f"nor what {names} writes a part of its chain", (done.returncode, b"is the output, too" in done.stderr, read("part")), (2, True, part))
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
    refused("keys and filter by one pipe", ["test", "-"], b"", "standard input cannot be")
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
        check("a pipe without end", done.returncode == 2 and b'"-" is no filter or map' in done.stderr, done.stderr)


def check_memory():
    keys = lines(*range(1200000))
    compare("keys in files give the same bytes", built("build", "-k", "integer", "-m", "16M", "--threads", "2", stdin=keys),
            built("build", "-k", "integer", "-m", "1G", "--threads", "1", stdin=keys))
    refused("a folder for them that is not there", ["build", "-k", "integer", "-m", "16M", "--tmp", "/no/such"], keys, "/no/such")


def check_usage():
    status, output, errors = ribbon("--help")
    check("--help", status == 0 and output.startswith(b"Usage: ribbon build"), errors)
    for name in ("build", "map", "exact", "test", "get", "stats", "check", "shrink"):
        status, of_one, errors = ribbon(name, "--help")
        check(f"{name} --help", status == 0 and of_one.startswith(f"Usage: ribbon {name}".encode()) and errors == "", errors)
        check("has its own options only", set(of_one.split(b"\n")[1:]) < set(output.split(b"\n")[1:]), of_one)
        compare("which help and -h say, too", [ribbon("help", name)[1] == of_one, ribbon(name, "-h")[1] == of_one], [True, True])
    status, output, errors = ribbon()
    check("no subcommand", status == 2 and output == b"" and errors.startswith("Usage"), errors)
    subcommands = "only build, map, exact, test, get, stats, check and shrink"
    for arguments, expected in ((["bulid"], f'no subcommand "bulid", {subcommands}'),
                                (["help", "bulid"], f'no subcommand "bulid", {subcommands}'), (["-h", "bulid"], subcommands),
                                (["build", "-f", "2"], "rate"), (["build", "-f", "x"], "invalid rate"), (["build", "-f", "1/"], "invalid rate"),
                                (["build", "--kind", "exact"], 'invalid kind "exact": there are burr, homogeneous, auto'),
                                (["build", "-m", "5X"], "invalid size"), (["build", "-m", "99999999999G"], "invalid size"),
                                (["build", "-m", "1"], "with its unit"), (["build", "--memory", "16"], "with its unit"),
                                (["build", "-m", "0B"], "at least 16 MB, not 0 bytes"), (["build", "-m", "16383kB"], "at least 16 MB"), (["build", "-m", "MB"], "with its unit"),
                                (["build", "--format", "text", "-d", "n"], "a delimiter of this format"), (["build", "--format", "text", "-d", "."], "a delimiter of this format"),
                                (["build", "--format", "text", "-d", "7"], "a delimiter of this format"), (["get", "-d", "n", "in"], "a delimiter of this format"),
                                (["build", "--format", "csv", "--null", 'a"'], "no quote"), (["build", "--format", "csv", "--null", "a,b"], "no delimiter"),
                                (["map", "--null", "a\tb"], "no delimiter"),
                                (["build", "--format", "text", "-d", "N"], 'no delimiter in it: "\\N"'), (["map", "--format", "text", "-d", "N"], "no delimiter"),
                                (["get", "-d", "N", "in"], "no delimiter"), (["get", "--format", "text", "-d", "N", "in"], "no delimiter"),
                                (["get", "-z", "-d", "N", "in"], "no delimiter"),
                                (["build", "--format", "text", "--null", "a\nb"], "no end of a line"),
                                (["build", "--format", "csv", "--null", "\r"], "no end of a line"), (["build", "--format", "csv", "-d", '"'], "delimiter"),
                                (["build", "-d", "é"], "delimiter"), (["build", "-v", "text"], 'no option "-v"'), (["build", "--value", "text"], 'no option "--value"'),
                                (["build", "--quiet=3"], 'option "--quiet" takes no argument: try ribbon build --help'), (["build", "-k"], 'option "-k" needs an argument'),
                                (["build", "--he"], 'option "--he" may be several: try ribbon build --help'), (["build", "--hex"], 'no option "--hex"'),
                                (["build", "--key"], 'option "--key" needs an argument: try ribbon build --help'),
                                (["build", "-qX"], 'no option "-X"'), (["build", "-q:x", "text"], 'no option "-:"'), (["build", "-é", "text"], 'no option "-\\xC3"'), (["build", "--format", "text", "-z"], "COPY"),
                                (["build", "-d", "\\"], "delimiter"),
                                (["build", "--width", "65"], "width"), (["build", "--width", "4294967295"], 'invalid width "4294967295"'), (["map", "-f", "2"], "2^-32 to 0.5, not 2; of a map it may be 1"),
                                (["build", "--kind", "x"], "kind"), (["map", "-v", "x"], "type of values"),
                                (["build", "-d", "ab"], "delimiter"), (["build", "-c", "0"], "counted from 1"), (["build", "-c", "x"], "--header"),
                                (["map", "--seed", "4294967296"], "seed"), (["build", "--format", "csv", "-z"], "COPY"),
                                (["build", "nowhere"], "nowhere"), (["build", "."], "directory")):
        refused(repr(" ".join(arguments)), arguments, b"a\n", expected)


def check_streams():
    """What comes by a pipe is answered before more of it comes."""
    write("f.ribbon", built("build", stdin=b"a\nb\n"))
    with subprocess.Popen([RIBBON, "test", "f.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        answers = []
        for line in (b"a\n", b"b\n"):
            child.stdin.write(line)
            answers.append(wait_read(child.stdout.fileno(), 30))
        child.stdin.close()
        child.wait(LIMIT)
    compare("a pipe is answered line by line", (answers, child.returncode), ([b"a\n", b"b\n"], 0))
    write("mapped.ribbon", built("build", stdin=lines(*range(10000))))
    with subprocess.Popen([RIBBON, "test", "mapped.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, bufsize=0) as child:
        child.stdin.write(b"1\n")
        wait_read(child.stdout.fileno(), 30)
        write("mapped.ribbon", b"")
        _, errors = child.communicate(b"2\n", timeout=LIMIT)
    compare("a filter's file that becomes shorter", (child.returncode, b"has become shorter" in errors), (2, True))
    with subprocess.Popen([RIBBON, "test", "f.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        child.stdout.close()
        try:
            child.stdin.write(b"a\n" * 100000)
            child.stdin.close()
        except BrokenPipeError:
            pass
        child.wait(LIMIT)
    compare("a reader that has gone ends it as it ends grep", child.returncode, -signal.SIGPIPE)
    with subprocess.Popen([RIBBON, "build"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(b"\xef\xbb")
        child.stdin.flush()
        time.sleep(0.2)
        child.stdin.write(b"\xbfa\n")
        child.stdin.close()
        marked = child.stdout.read()
        child.wait(LIMIT)
    compare("a byte-order mark that comes in parts is none of a key", marked, built("build", stdin=b"a\n"))
    with subprocess.Popen([RIBBON, "build", "-o", "late"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        child.stdin.write(b"a\n")
        child.stdin.flush()
        child.send_signal(signal.SIGTERM)
        child.wait(LIMIT)
    compare("a signal ends it and leaves nothing", (child.returncode, [name for name in os.listdir(".") if name.startswith("late")]),
            (-signal.SIGTERM, []))


def wait_read(fd, seconds):
    """What can be read within some seconds."""
    import select
    ready, _, _ = select.select([fd], [], [], seconds)
    return os.read(fd, 65536) if ready else b""


def read_terminal(leader, child):
    """What a program writes to a terminal until it ends."""
    shown = b""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            piece = wait_read(leader, 1)
        except OSError:
            break
        shown += piece
        if not piece and child.poll() is not None:
            break
    child.wait(LIMIT)
    os.close(leader)
    return shown


def check_terminal():
    """On a terminal there is a bar, which is gone at the end; not with --quiet, nor elsewhere."""
    write("in", lines(*range(600000)))
    for quiet in (False, True):
        leader, follower = pty.openpty()
        with subprocess.Popen([RIBBON, "build", "-k", "integer", "-o", "out", *(["-q"] if quiet else []), "in"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower) as child:
            os.close(follower)
            shown = read_terminal(leader, child)
        if quiet:
            compare("--quiet shows no bar", (child.returncode, shown), (0, b""))
        else:
            check("a terminal sees a bar", child.returncode == 0 and b"%" in shown and shown.endswith(b"\r\x1b[K"), shown[-200:])
    write("bad", lines(*range(600000), "x"))
    leader, follower = pty.openpty()
    with subprocess.Popen([RIBBON, "build", "-k", "integer", "-o", "out", "bad"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=follower) as child:
        os.close(follower)
        shown = read_terminal(leader, child)
    check("a message takes its place", b" keys \r\x1b[Kribbon: bad:600001: " in shown, shown[-200:])
    leader, follower = pty.openpty()
    done = subprocess.run([RIBBON, "build", "in"], stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE,
                          timeout=LIMIT, check=False)
    os.close(follower)
    os.close(leader)
    compare("bytes are not for a terminal", (done.returncode, b"terminal" in done.stderr), (2, True))


def main():
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chdir(directory)
        for part in (check_build, check_nothing, check_shrink, check_lines, check_csv, check_text, check_encoding,
                     check_types, check_addresses, check_sha1, check_ranges, check_looks, check_compressed,
                     check_maps, check_exact, check_conflict, check_round_trips, check_output, check_closed,
                     check_forms, check_memory, check_usage, check_streams, check_terminal):
            part()
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main()
