#!/usr/bin/python3
"""test_command_read.py - the records that the command reads, and the keys in them

usage: test/run.sh lib/test_command_read
"""

import bz2
import gzip
import hashlib
import lzma
import time

from command import built, lines, read, refused, ribbon, run, write
from reports import check, compare


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
    refused("a zero byte in a text", ["build"], b"a\nb\0c\n", "standard input:2: a key is not text in UTF-8 without zero bytes\n")
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
    refused("nor among a million, in time", ["build", "--header", "-c", "x"], b"\t" * 10**6 + b"y\n", "there is no column \"x\"")
    compare("but the last of them is one", built("build", "--header", "-c", "y", stdin=b"\t" * 10**5 + b"y\n" + b"\t" * 10**5 + b"a\n"),
            built("build", stdin=b"a\n"))
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
            ("Double Precision", "0.5", "5e-1", "half"), ("interval", "1 mon", "P30D", "1 moon"),
            ("timetz", "01:02:03+02", "01:02:03+02:00", "01:02:03"),
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
    refused("nor those beyond ASCII", ["test", "t.ribbon"], "\x9b31mä\x85\n".encode(), '"??31mä??"')
    refused("nor do they from a file's name", ["test", "t.ribbon", "\x1b[31m\nribbon: "], b"", '"?[31m?ribbon: "')
    refused("nor there those beyond ASCII", ["test", "t.ribbon", "\x9b31m\xa0"], b"", '"??31m\xa0"')


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
    refused("a prefix of whole hashes", ["build", "--format", "sha1", "--prefix", "21BD1"], digests[0].hex().encode() + b"\n",
            "standard input:1: 40 digits, where --prefix says that the first 5 are missing")
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
    said("with its count", ["test", "p.ribbon"], lines(*(f"{digest}:3" for digest in digests)),
         "1: this looks like a hash in hexadecimal digits and a count")
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


if __name__ == "__main__":
    run(check_lines, check_csv, check_text, check_encoding, check_types, check_addresses, check_sha1, check_ranges,
        check_looks, check_compressed)
