#!/usr/bin/python3
"""test_values.py - what Python and numpy call a value is the key, or the map's value, that it should be

usage: test/run.sh python-client/test_values
"""

import datetime
import ipaddress
import uuid
from decimal import Decimal

from built import all_true, compare, raises
from reports import finish

import numpy

from ribbonfilter import ConflictError, Filter, Key, Map, _core

UTC = datetime.timezone.utc
DAY, MICROSECOND = datetime.timedelta(days=1), datetime.timedelta(microseconds=1)
MOMENT = datetime.datetime(2000, 1, 1)
I = (1, 2, 3)

# By the expression of test/golden/keys_1.txt: the same keys in Python, and their type if it must be said.
GOLDEN = {
    "i": [([1, 2, 3],), (range(1, 4),), (iter(I),), (numpy.array(I, "i1"),), (numpy.array(I, ">i4"),), (numpy.array(I, "u8"),),
          (numpy.array(I, "i4"),), (numpy.arange(3, 0, -1),), (numpy.arange(1, 9)[:3],),
          (numpy.array([1, 9, 2, 9, 3])[::2],), (numpy.array(I, object),), ({1, 2, 3},),
          ([numpy.int16(1), 2, numpy.uint8(3), None],), ([numpy.array([1]), 2, 3],)],
    "i::int8 << 40": [([i << 40 for i in I],), (numpy.array(I) << 40,)],
    "(ARRAY['a', 'é', ' b '])[i]": [(["a", "é", " b "],), (numpy.array(["a", "é", " b "]),), (numpy.array(["a", "é", " b "], object),),
                                    (numpy.array(["a", "é", " b "], ">U7"),),
                                    (numpy.ma.array(["a", "é", " b ", "x"], mask=[0, 0, 0, 1]),)],
    "(ARRAY['a', 'é', ' b'])[i]::char(4)": [(["a  ", "é", " b"], "char"), (numpy.array(["a", "é ", " b"]), "char")],
    "decode(repeat('0a', i), 'hex')": [([b"\n" * i for i in I],), (numpy.array([b"\n" * i for i in I], object),),
                                       ([bytearray(b"\n" * i) for i in I],),
                                       ([memoryview(b"\n" * i) for i in I],)],
    "i > 1": [([False, True, True],), (numpy.array(I) > 1,)],
    "date '2000-01-01' + i": [([datetime.date(2000, 1, 1 + i) for i in I],), (numpy.datetime64("2000-01-01") + numpy.array(I),),
                              ([numpy.datetime64("2000-01-01") + i for i in I],)],
    "time '00:00' + i * interval '1 microsecond'": [([datetime.time(microsecond=i) for i in I],)],
    "(ARRAY['12:00+01', '12:00-05:30', '24:00+00'])[i]::timetz": [],    # Python has no 24:00
    "timestamp '2000-01-01' + i * interval '1 second'": [
        ([MOMENT.replace(second=i) for i in I],), (numpy.datetime64("2000-01-01T00:00:00") + numpy.array(I),),
        ((numpy.datetime64("2000-01-01T00:00:00") + numpy.array([1, 2, 3])).astype("M8[ns]"),),
        (numpy.array(["2000-01-01T00:00:01", "NaT", "2000-01-01T00:00:02", "2000-01-01T00:00:03"], "M8[ms]"),),
        (list(numpy.datetime64("2000-01-01T00:00:00") + numpy.array(I)),)],
    "timestamptz '2000-01-01 00:00+00' + i * interval '1 second'": [
        ([datetime.datetime(2000, 1, 1, second=i, tzinfo=UTC) for i in I],),
        ([datetime.datetime(2000, 1, 1, 2, second=i, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
          for i in I],),
        (numpy.datetime64("2000-01-01T00:00:00") + numpy.array(I), "timestamptz")],
    "i::oid": [(I, "oid"), (numpy.array(I), "oid")],
    "i::float4 / 8": [([i / 8 for i in I],), (numpy.array(I) / 8,), (numpy.array(I, "f4") / 8,), (numpy.array(I, "f2") / 8,)],
    "(ARRAY['-0', 'NaN', '1e300'])[i]::float8": [([-0.0, float("nan"), 1e300],), (numpy.array([0.0, -numpy.nan, 1e300]),)],
    "(ARRAY['1.00', 'NaN', '-1e40'])[i]::numeric": [([Decimal("1.0"), Decimal("-NaN"), Decimal("-1e40")],),
                                                    ([1, Decimal("NaN"), -10**40], "numeric")],
    "('10.0.0.' || i || '/8')::inet": [([ipaddress.ip_interface(f"10.0.0.{i}/8") for i in I],)],
    "('2001:db8::' || i)::inet": [([ipaddress.ip_address(f"2001:db8::{i}") for i in I],),
                                  ([ipaddress.ip_network(f"2001:db8::{i}") for i in I],)],
    "('08:00:2b:01:02:0' || i)::macaddr": [([f"08:00:2b:01:02:0{i}" for i in I], "macaddr")],
    "('08:00:2b:01:02:03:04:0' || i)::macaddr8": [([f"08:00:2b:01:02:03:04:0{i}" for i in I], "macaddr8")],
    "(i::int8 << 33)::text::xid8": [([i << 33 for i in I], "xid8"), (numpy.array(I) << 33, "xid8")],
    "('1/' || i)::pg_lsn": [([f"1/{i}" for i in I], "pg_lsn")],
    "substring(B'101' FOR i)": [(["1", "10", "101"], "bit")],
    "(enum_range(NULL::mood))[i]": [(["sad", "ok", "happy"], "enum"), (numpy.array(["sad", "ok", "happy"]), "enum")],
}


def check_golden():
    bytes_of = {}
    with open("test/golden/keys_1.txt", encoding="utf-8") as file:
        for line in file:
            expression, data = line.rstrip("\n").split("\t")
            bytes_of[expression] = bytes.fromhex(data)
    for expression, ways in GOLDEN.items():
        expected = bytes_of[expression]
        faults = []
        for keys, *key_type in ways:
            shown = f"{type(keys).__name__} {keys}"
            kept = list(keys)
            built = Filter.build(kept if iter(keys) is keys else keys, key_type=key_type[0] if key_type else None)
            if bytes(built) != expected:
                faults.append(f"{shown}: {bytes(built).hex()}")
            asked = kept if iter(keys) is keys else keys
            if not isinstance(kept[0], numpy.ndarray) and not built.contains(asked, *key_type).any():
                faults.append(f"{shown} is not in it")
        all_true(f"keys {expression}, in {len(ways)} ways", faults)
    compare("uuid", bytes(Filter.build([uuid.UUID(int=i) for i in range(9)])),
            bytes(Filter.build(numpy.array([uuid.UUID(int=i).bytes for i in range(9)], "V16"), key_type="uuid")))
    compare("interval", bytes(Filter.build([i * 3 * DAY - i * MICROSECOND for i in range(9)])),
            bytes(Filter.build(numpy.array([i * 3 * DAY - i * MICROSECOND for i in range(9)], "m8[us]"))))
    compare("timetz", Filter.build([datetime.time(12, tzinfo=UTC)]).key_type, "timetz")


def check_refused():
    numbers = Filter.build([1, 2, 3])
    texts = Filter.build(["a"])
    for name, filter, key in (
            ("a text among integers", numbers, "1"), ("bytes among integers", numbers, b"1"), ("a float among integers", numbers, 1.0),
            ("a bool among integers", numbers, True), ("a decimal among integers", numbers, Decimal(1)),
            ("an integer among texts", texts, 1), ("bytes among texts", texts, b"a"), ("a tuple", texts, ("a",)), ("an object", texts, object()),
            ("an array of texts among integers", numbers, numpy.array(["1"])), ("an array of floats", numbers, numpy.array([1.0])),
            ("complex numbers", numbers, numpy.array([1j])), ("a text object among integers", numbers, numpy.array(["1"], object)),
            ("integers among texts", texts, [1]), ("days among moments", Filter.build([MOMENT]), numpy.array(["2000-01-01"], "M8[D]")),
            ("moments without zone", Filter.build([MOMENT.replace(tzinfo=UTC)]), numpy.array([MOMENT], "M8[us]")),
            ("moments with one", Filter.build([MOMENT]), MOMENT.replace(tzinfo=UTC))):
        if isinstance(key, (list, numpy.ndarray)):
            raises(f"{name}: contains", TypeError, filter.contains, key)
        raises(f"{name}: in", TypeError, filter.__contains__, key)
    raises("mixed keys", TypeError, Filter.build, [1, "a"], says="text")
    raises("mixed pieces", TypeError, Filter.build, [numpy.array([1]), numpy.array(["a"])])
    raises("one text", TypeError, Filter.build, "abc", says="iterable")
    raises("a number", TypeError, Filter.build, 5)
    raises("a type that there is not", ValueError, Filter.build, [1], key_type="complex")
    raises("a type that is not the filter's", TypeError, numbers.contains, [1], key_type="oid")
    raises("an integer beyond 64 bits", OverflowError, numbers.__contains__, 1 << 63)
    raises("an array of them", OverflowError, numbers.contains, numpy.array([1 << 63], "u8"))
    raises("an oid beyond 32 bits", OverflowError, Filter.build, [1 << 32], key_type="oid")
    raises("an array of them", OverflowError, Filter.build, numpy.array([-1]), key_type="oid")
    raises("a surrogate", ValueError, Filter.build, ["\ud800"])
    raises("an array with one", ValueError, Filter.build, numpy.array(["\ud800"]))
    raises("no bit string", ValueError, Filter.build, ["012"], key_type="bit")
    raises("no address", ValueError, Filter.build, ["x"], key_type="macaddr")
    raises("finer than microseconds", ValueError, Filter.build, numpy.array([1], "M8[ns]"), says="finer")
    raises("a single one", ValueError, Filter.build, [numpy.datetime64(1, "ns")], says="finer")
    for fpr in 0, 0.6, float("nan"), -1, 1e-11, 1:
        raises(f"rate {fpr}", ValueError, Filter.build, [1], fpr)
    raises("no rate", TypeError, Filter.build, [1], "x")
    raises("no kind", ValueError, Filter.build, [1], kind="bloom", says="burr, homogeneous, auto")
    raises("no width", ValueError, Filter.build, [1], width=65)
    raises("shrinking to less", ValueError, numbers.shrink, 0.0001)


def check_missing():
    f = Filter.build(["a", None, "b"])
    compare("None is no key", (len(f), None in f, f.contains([None, "a", None, "b", None]).tolist()),
            (2, False, [False, True, False, True, False]))
    compare("NaT is none", Filter.build(numpy.array(["NaT"], "M8[us]")).stats()[:3], ("burr", "timestamp", 0))
    empty = Filter.build([])
    compare("nothing at all", (len(empty), 1 in empty, "a" in empty, empty.contains([1, 2]).tolist(), empty.fpr),
            (0, False, False, [False, False], 0.0))
    compare("nothing, of a type", bytes(Filter.build(numpy.array([], "i8"))).hex(), "1101000000")
    compare("nothing, of a type that is said", bytes(Filter.build([], key_type="uuid")).hex(), "1104000000")
    compare("nothing asked", Filter.build([1]).contains(numpy.array([], "i8")).tolist(), [])
    many = [None, *range(40000), None]
    compare("many pieces", Filter.build(range(40000)).contains(many).tolist(), [False, *[True] * 40000, False])
    compare("their shape", Filter.build([1]).contains(numpy.ones((2, 3, 4), "i8")).shape, (2, 3, 4))


def check_ways():
    """Any way of building and asking gives the same."""
    random = numpy.random.default_rng(1)
    numbers = random.integers(-1 << 62, 1 << 62, 50000)
    words = numpy.array([f"wörd {i}" for i in numbers])
    for name, keys in ("numbers", numbers), ("words", words):
        f = Filter.build(keys)
        for other, built in (("a list", Filter.build(keys.tolist())), ("objects", Filter.build(keys.astype(object))),
                             ("shuffled twice", Filter.build(random.permutation(numpy.concatenate([keys, keys])))),
                             ("pieces", Filter.build([keys[:10], keys[10:]])), ("one thread", Filter.build(keys, threads=1)),
                             ("three threads, few bytes", Filter.build(keys, threads=3, memory=16 << 20))):
            compare(f"{name}: {other}", built, f)
        asked = numpy.concatenate([keys[:1000], numpy.char.add(keys[:1000], "x") if name == "words" else keys[:1000] + 1])
        answers = f.contains(asked)
        compare(f"{name}: all are in, few others", (answers[:1000].all(), answers[1000:].sum() < 40), (True, True))
        compare(f"{name}: asked one by one", [key in f for key in asked.tolist()], answers.tolist())
        compare(f"{name}: asked as objects", f.contains(asked.astype(object)).tolist(), answers.tolist())
    kinds = {Filter.build(numbers, kind=kind, width=width).stats()[0:1] + (width,)
             for kind in ("burr", "homogeneous") for width in (64, 128)}
    compare("kinds and widths", len(kinds), 4)


def shown_otherwise(kind):
    """A subclass of this type whose values are shown as other ones."""
    return type("Shown", (kind,), {"__str__": lambda self: "otherwise", "__format__": lambda self, how: "otherwise"})


def check_keys():
    for value in (Decimal("-1.50E+3"), ipaddress.ip_address("::ffff:1.2.3.4"), ipaddress.ip_interface("10.1.2.3/8"),
                  ipaddress.ip_network("2001:db8::/32"), 7, "text"):
        shown = shown_otherwise(type(value))(value if isinstance(value, (int, Decimal)) else str(value))
        compare(f"{value!r} of a subclass", Key(shown), Key(value))
    for key, number, form in ((Key(Decimal("-1.50E+3")), 14, b"-1500"), (Key(10**30, "numeric"), 14, b"1" + 30 * b"0"),
                              (Key(ipaddress.ip_interface("10.1.2.3/8")), 16, bytes([4, 8, 10, 1, 2, 3])),
                              (Key("0101", "bit"), 22, bytes([4, 0, 0, 0, 0x50]))):
        compare(f"canonical bytes of a {key.type}", key, Key.from_canonical(number, form))
    compare("ribbon_hash of the server", [Key(42, "oid").hash, Key("abc").hash, Key("é").hash, Key(True).hash, Key(1.5).hash], HASHES)
    compare("a key stands for its value", (Key("a") in Filter.build(["a"]), Key(1) == Key(1), Key(1) == Key("1"), len({Key(1), Key(1)})),
            (True, True, False, 1))
    make, (number, hash1, hash2) = Key(1).__reduce__()
    keys = Key(1), make(number, hash1, hash2 ^ 1 << 63)
    compare("keys of one hash are two, as to the server and to an exact set, if their second hashes differ",
            (keys[0] == keys[1], len(set(keys)), Filter.build_exact(keys, [True, False]).contains(keys).tolist()),
            (False, 2, [True, False]))
    raises("of another type", TypeError, Filter.build([1]).__contains__, Key("a"))
    compare("from canonical bytes", Key.from_canonical(1, (42).to_bytes(8, "little")), Key(42))
    compare("filters of keys", Filter.build([Key(1), Key(2)]), Filter.build([1, 2]))
    alone = Key.from_canonical(0, b"of no class")
    found = len(Filter.build([alone])), alone in Filter.build([None, alone]), Map.build([alone], [1])[alone]
    compare("of keys without a class", found, (1, True, 1))
    raises("no shard", ValueError, Key(1).shard, 0)


# of 42::oid, 'abc', 'é', true, 1.5::float8, as expected/key_hash.out has them
HASHES = [2392174772787195229, 8696274497037089104, -606849052844159821, -2220562881957146901, 2693614958850487384]


def check_maps():
    keys = numpy.arange(1000)
    for name, values, value_type, expected in (
            ("int64", keys * 3, None, "bigint"), ("int32", keys.astype("i4"), None, "integer"),
            ("uint8", (keys % 200).astype("u1"), None, "smallint"),
            ("bools", keys % 3 == 0, None, "boolean"), ("days", numpy.datetime64("1999-01-01") + keys, None, "date"),
            ("moments", numpy.datetime64("1999-01-01T00:00") + keys, None, "timestamp"), ("int64 as smallint", keys, "smallint", "smallint"),
            ("moments in UTC", numpy.datetime64("1999-01-01T00:00") + keys, "timestamptz", "timestamptz"),
            ("texts", numpy.array([f"é{i % 7}" for i in keys]), None, "text")):
        listed = values.tolist()
        if value_type == "timestamptz":
            listed = [value.replace(tzinfo=UTC) for value in listed]
        m = Map.build(keys, values, value_type=value_type)
        compare(f"values: {name}", m.value_type, expected)
        compare(f"{name}: one by one", [m[key] for key in keys.tolist()], listed)
        many = m.get_many(keys)
        compare(f"{name}: many", many.tolist(), values.tolist())
        if value_type is None and values.dtype.kind != "u" and values.dtype != numpy.int32:
            compare(f"{name}: a list", bytes(Map.build(keys.tolist(), listed)), bytes(m))
        compare(f"{name}: others", numpy.ma.count_masked(m.get_many(-1 - keys)) if m.value_type != "text" else
                sum(value is None for value in m.get_many(-1 - keys)), 1000 - m.contains(-1 - keys).sum())
    m = Map.build({"a": 1, "b": None, "c": 300})
    compare("NULL", (m["b"], m.get("b", 5), "b" in m, m.get("x", 5), m.get(None, 5)), (None, None, True, 5, 5))
    compare("NULL among many", m.get_many(["a", "b", "c", None]).mask.tolist(), [False, True, False, True])
    compare("a default", m.get_many(numpy.array([["a", "x"], ["b", "c"]]), -1).tolist(), [[1, -1], [-1, 300]])
    texts = Map.build(["a", "b", None, "c"], ["x", None, "z", "y"])
    compare("texts and NULL", texts.get_many(["a", "b", "q", "c", None], "?").tolist(), ["x", None, "?", "y", "?"])
    compare("a missing key's pair is none", len(texts), 3)
    compare("no key at all", (len(Map.build([], [])), Map.build([], []).get(1),
                              Map.build({}).get_many([1]).tolist()), (0, None, [None]))
    compare("no check bits", Map.build(range(100), range(100), 1)[70], 70)
    compare("a seed", Map.build(range(100), range(100), seed=7)[70], 70)
    compare("values of end to end", [Map.build([1, 2], [-1 << 63, (1 << 63) - 1])[i] for i in (1, 2)], [-1 << 63, (1 << 63) - 1])
    plain, coded, either = (Map.build(range(1000), [i % 90 == 0 for i in range(1000)], code=code)
                            for code in ("plain", "entropy", "auto"))
    compare("codes", (plain.stats().code, coded.stats().code, either == coded, coded.nbytes < plain.nbytes),
            ("plain", "entropy", True, True))
    compare("and their values", (coded[90], coded[91]), (True, False))
    raises("a code that there is not", ValueError, Map.build, [1], [1], code="huffman")
    late = Map.build([1], numpy.array(["12000-01-01"], "M8[D]"))
    raises("a date that Python does not have", OverflowError, late.get, 1, says="the date 12000-01-01, which Python's")
    for value_type, last in (("date", "9999-12-31"), ("timestamp", "9999-12-31T23:59:59.999999")):
        ends = Map.build(range(3), numpy.array([last, "2026-01-01", "2026-01-02"], "M8"), 1, value_type=value_type)
        beyond = 0
        for i, value in zip(range(3, 40), ends.get_many(numpy.arange(3, 40))):
            try:
                ends.get(i)
            except OverflowError as error:
                beyond += f"the value is the {value_type} {value}, which" in str(error)
            else:
                value = numpy.datetime64("9999-01-01")
            beyond += value < numpy.datetime64("10000-01-01")
        compare(f"each {value_type} by chance that Python does not have is named", beyond, 37)
    last = numpy.datetime64((1 << 63) - 1, "us")
    ends = Map.build(range(100), last - numpy.append(numpy.arange(99) << 33, 1 << 40), 1, code="plain")
    values = ends.get_many(numpy.arange(200)).filled()
    compare("times that numpy does not have are none", (bool((values < last - (1 << 40)).any()), 20 < numpy.isnat(values).sum() < 80),
            (False, True))
    raises("and are said to be so", OverflowError, ends.get, int(numpy.flatnonzero(numpy.isnat(values))[0]), says="a year after 294246")
    compare("but numpy has", late.get_many([1]).filled(), numpy.array(["12000-01-01"], "M8[D]"))
    raises("two values", ConflictError, Map.build, [1, 1], [1, 2])
    raises("fewer values", ValueError, Map.build, [1, 2], [1], says="2 keys and 1 values")
    raises("values of two types", TypeError, Map.build, [1, 2], [1, "a"])
    raises("values of two types", TypeError, Map.build, [1, 2], ["a", 1])
    raises("bytes as values", TypeError, Map.build, [1], [b"a"])
    raises("floats as values", TypeError, Map.build, [1], [0.5])
    raises("an array of them", TypeError, Map.build, [1], numpy.array([0.5]))
    raises("a value out of range", OverflowError, Map.build, [1], [1 << 15], value_type="smallint")
    raises("a value beyond 64 bits", OverflowError, Map.build, [1], [1 << 63])
    raises("a type that there is not", ValueError, Map.build, [1], [1], value_type="point")
    raises("too many texts", OverflowError, Map.build, range(70000), [str(i) for i in range(70000)])
    raises("no values", TypeError, Map.build, [1], says="missing")
    raises("a key that is not there", KeyError, m.__getitem__, "x")
    raises("a key of another type", TypeError, m.__getitem__, 1)


def check_exact():
    keys = numpy.arange(5000)
    members = keys % 9 == 0
    f = Filter.build_exact(keys, members)
    compare("an exact set", ((f.contains(keys) == members).all(), len(f), f.stats()[-3:], f.stats().kind, f.as_of),
            (True, 556, (5000, None, 0), "exact", None))
    for name, built in (("lists", Filter.build_exact(keys.tolist(), members.tolist())),
                        ("a dict", Filter.build_exact(dict(zip(keys, members)))),
                        ("with missing ones", Filter.build_exact([None, *keys.tolist(), 7], [True, *members.tolist(), None])),
                        ("arrays with missing ones", Filter.build_exact(numpy.ma.array([*keys, 7],
                                                                                       mask=[*(keys < 0),
                                                                                             True]), [*members,
                                                                                                      True])),
                        ("shuffled twice", Filter.build_exact([*keys[::-1], *keys], [*members[::-1], *members]))):
        compare(f"of {name}", built, f)
    compare("of nothing", len(Filter.build_exact([], [])), 0)
    rated = Filter.build_exact(keys, members, fpr=1 / 256)
    compare("with a rate", ((rated.contains(keys) == members).all(), rated.fpr, rated.stats().overhead < 0.2, f._stat("rated")),
            (True, 1 / 256, True, 0))
    passed = rated.contains(numpy.arange(5000, 105000)).sum()
    compare("at which others pass", 300 < passed < 480, True)
    raises("a rate that is none", ValueError, Filter.build_exact, [1], [True], fpr=0.6)
    ends = [Filter(_core.Builder(1, 1, kind=3, as_of=end).finish()) for end in (-1 << 63, (1 << 63) - 1)]
    compare("times that Python does not have", [end.stats().as_of for end in ends],
            [datetime.datetime.min.replace(tzinfo=UTC), datetime.datetime.max.replace(tzinfo=UTC)])
    compare("without members", Filter.build_exact([1, 2], [False, False]).contains([1, 2]).tolist(), [False, False])
    raises("both member and not", ConflictError, Filter.build_exact, [1, 1], [True, False])
    raises("fewer members", ValueError, Filter.build_exact, [1, 2], [True])
    raises("members that are no bools", TypeError, Filter.build_exact, [1, 2], [1, 0])
    raises("no members", TypeError, Filter.build_exact, [1])
    raises("it is not shrunk", ValueError, f.shrink, 0.5)
    raises("it has no time", ValueError, f.member, 1, datetime.datetime(2026, 1, 1, tzinfo=UTC))
    raises("a time without zone", TypeError, Filter.build_exact, [1], [True], as_of=MOMENT)


def check_changing():
    """A key whose making changes the list that it is in."""
    class Zone(datetime.tzinfo):
        def utcoffset(self, _):
            del values[1:]
            return DAY * 0

    values = [datetime.datetime(2026, 1, 1, tzinfo=Zone())] + [datetime.datetime(2026, 1, 1, tzinfo=UTC)] * 50000
    f = Filter.build(values[1:2])
    compare("a list that changes meanwhile", f.contains(values).tolist(), [True] * 50001)


check_golden()
check_refused()
check_missing()
check_ways()
check_keys()
check_maps()
check_exact()
check_changing()
finish()
