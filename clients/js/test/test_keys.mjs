// test_keys.mjs - from values of JavaScript to keys, and what is refused

import assert from "node:assert";
import { Filter, Key, RibbonError, RibbonMap } from "../lib/index.js";
import { classNumber } from "../lib/classes.js";
import { canonicalForm } from "../lib/keys.js";
import { end, hex, test, throwsCode } from "./testing.mjs";

const form = (value, keyClass) => {
  const result = canonicalForm(value, classNumber(keyClass));
  return typeof result === "bigint" ? result : hex(result);
};

await test("values of one class, written in several ways", async () => {
  const same = [
    ["integer", 42, 42n],
    ["integer", -1, -1n],
    ["uuid", "A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11", "{a0eebc999c0b4ef8bb6d6bb9bd380a11}"],
    ["numeric", "1.50", "1.5", 1.5, "+01.5", "15e-1", "0.15E1"],
    ["numeric", 100, "100", "1e2", 100n, "100.000"],
    ["numeric", "-0.0", "0", 0, -0],
    ["float", 0, -0],
    ["macaddr", "08:00:2b:01:02:03", "08-00-2b-01-02-03", "08002b:010203", "0800.2b01.0203"],
    ["macaddr8", "08:00:2b:01:02:03", "08:00:2b:ff:fe:01:02:03"],
    ["inet", "::ffff:1.2.3.4", "0:0:0:0:0:FFFF:102:304/128"],
    ["inet", "010.2.3.4/08", "10.2.3.4/8"],
    ["inet", "::0001:02", "::1:2"],
    [
      "timestamptz",
      "2026-01-31T23:00:00Z",
      "2026-02-01 01:00:00+02",
      "2026-01-31 17:30-05:30",
      new Date(Date.UTC(2026, 0, 31, 23)),
    ],
    ["char", "a  ", "a"],
    ["interval", { months: 1 }, { days: 30 }, { days: 29, microseconds: 86400000000 }],
    ["interval", { microseconds: -1 }, { days: -1, microseconds: 86399999999n }],
  ];
  for (const [keyClass, first, ...others] of same)
    for (const other of others)
      assert.strictEqual(form(other, keyClass), form(first, keyClass), `${keyClass} ${String(other)}`);
});

await test("canonical bytes", async () => {
  assert.strictEqual(form("é€😀", "text"), "c3a9e282acf09f9880");
  assert.strictEqual(form(true, "bool"), "01");
  assert.strictEqual(form("1999-12-31", "date"), "ffffffff");
  assert.strictEqual(form("-infinity", "date"), "00000080");
  assert.strictEqual(form("0001-12-31 BC", "date"), hex(new Uint8Array(Int32Array.of(-730120).buffer)));
  assert.strictEqual(form("0044-03-15 12:00:00+01 BC", "timestamptz"), form("0044-03-15 11:00 BC", "timestamp"));
  assert.strictEqual(form("0001-01-01", "date"), hex(new Uint8Array(Int32Array.of(-730119).buffer)));
  assert.strictEqual(form("24:00", "time"), 86400000000n);
  assert.strictEqual(form("infinity", "timestamp"), 0x7fffffffffffffffn);
  assert.strictEqual(form(-1, "integer"), 0xffffffffffffffffn);
  assert.strictEqual(form(NaN, "float"), 0x7ff8000000000000n);
  assert.strictEqual(form("10.1.2.3", "inet"), "04200a010203");
  assert.strictEqual(form("10101", "bit"), "05000000a8");
  assert.strictEqual(form("16/B374D848", "pg_lsn"), 0x16b374d848n);
  assert.strictEqual(form(1e21, "numeric"), hex(Buffer.from("1000000000000000000000")));
  assert.strictEqual(form("-.5e-3", "numeric"), hex(Buffer.from("-0.0005")));
  assert.strictEqual(form("inf", "numeric"), hex(Buffer.from("Infinity")));
  for (const text of ["1e-00000001", "001e-1", ".0001e0000003", "0.1e+0", `${"0".repeat(200000)}.1`])
    assert.strictEqual(form(text, "numeric"), hex(Buffer.from("0.1")), text.slice(0, 20));
  for (const text of ["0e1000000", "-0e1073741822", "0.00e5"]) assert.strictEqual(form(text, "numeric"), "30", text);
  assert.strictEqual(form("0001e131071", "numeric").length, 2 * 131072);
  assert.strictEqual(form("0.0001e131075", "numeric").length, 2 * 131072);
});

await test("many keys come as any iterable, and as nothing else", async () => {
  const filter = await Filter.build([1, 2], { fpr: 1e-9 });
  const map = await RibbonMap.build([
    [1, "a"],
    [2, "b"],
  ]);
  const iterables = () => [
    [2, 1],
    new Set([2, 1]),
    [2, 1].values(),
    new Float64Array([2, 1]),
    Object.freeze([2, 1]),
    { length: 2, 0: 2, 1: 1 },
    Object.create({ length: 2, get 0() { return 2; }, get 1() { return 1; } }),
  ];
  for (const keys of iterables()) assert.deepStrictEqual(filter.hasMany(keys), Uint8Array.of(1, 1));
  for (const keys of iterables()) assert.deepStrictEqual(map.getMany(keys), ["b", "a"]);
  for (const keys of iterables()) assert.strictEqual((await Filter.build(keys)).size, 2);
  for (const keys of iterables()) assert.strictEqual((await Filter.buildExact(keys, [3])).size, 2);
  const empty = { length: 2 ** 32 - 1 }; // of which memory would run out
  for (const keys of ["12", 12, null, undefined, {}, empty, new DataView(new ArrayBuffer(8))]) {
    await throwsCode("OPTION", () => filter.hasMany(keys));
    await throwsCode("OPTION", () => map.getMany(keys));
  }
  for (const build of [() => Filter.build([undefined, 1]), () => RibbonMap.build([[undefined, 1]])])
    assert.match((await throwsCode("KEY_TYPE", build)).message, /undefined is no key/);
  for (const late of [Promise.resolve([1]), (async function* () {})()]) {
    assert.match((await throwsCode("OPTION", () => Filter.build(late))).hint, /Wait for the keys/);
    assert.match((await throwsCode("OPTION", () => filter.hasMany(late))).hint, /Wait for the keys/);
  }
  for (const entries of [[1], ["ab"], [{}]])
    assert.match((await throwsCode("OPTION", () => RibbonMap.build(entries))).hint, /row/);
  assert.match((await throwsCode("OPTION", () => Filter.build({ a: 1 }))).hint, /Object\.keys/);
  assert.match((await throwsCode("OPTION", () => RibbonMap.build({ a: 1 }))).hint, /Object\.entries/);
  await throwsCode("VALUE_TYPE", () => RibbonMap.build([[1, "a"], [2, Object.create(null)]]));
  await throwsCode("VALUE_RANGE", () => RibbonMap.build([[1, new Date(-8.64e15)]])); // get() would find no value
});

await test("an iterable is gone through once, whatever it says of its length", async () => {
  const once = (function* () {
    yield* [1, 2];
  })();
  const keys = (more) => ({ ...more, *[Symbol.iterator]() { yield* [1, 2]; } });
  const expected = (await Filter.build([1, 2])).toBytes();
  for (const of of [
    { [Symbol.iterator]: () => once },
    keys({ length: () => 2 }),
    keys({ size: () => 2 }),
    keys({ length: 1e15 }),
    keys({ length: "two" }),
    keys({ size: NaN }),
  ])
    assert.deepStrictEqual((await Filter.build(of)).toBytes(), expected);
  assert.deepStrictEqual((await Filter.build([1, 2])).hasMany(keys({ length: 1 })), Uint8Array.of(1, 1));
  await throwsCode("OPTION", async () => (await Filter.build([1])).hasMany({ length: 2 ** 40 }));
});

await test("an array with an iterator of its own is what that gives, in builds and questions", async () => {
  class Doubles extends Array {
    *[Symbol.iterator]() {
      for (let i = 0; i < this.length; i++) yield 2 * this[i];
    }
  }
  class Again extends Array {
    *[Symbol.iterator]() {
      const bytes = new Uint8Array(1);
      for (let i = 0; i < 5; i++, bytes[0]++) yield bytes;
    }
  }
  for (const keys of [new Again(), Again.of(1)]) {
    assert.strictEqual((await Filter.build(keys)).size, 5);
    assert.strictEqual((await Filter.buildExact(keys, [], { key: "bytea" })).size, 5);
  }
  const filter = await Filter.build(Doubles.of(1, 2), { fpr: 2 ** -32 });
  assert.deepStrictEqual([...filter.hasMany(Doubles.of(1, 2, 3))], [1, 1, 0]);
  assert.deepStrictEqual([...filter.hasMany([2, 4, 1])], [1, 1, 0]);
});

await test("a Date is the time that it holds, whatever its type says", async () => {
  class Odd extends Date {
    getTime = () => 0;
    valueOf = () => 0;
    toISOString = () => "odd";
    [Symbol.toPrimitive] = () => 0;
  }
  const odd = new Odd(Date.UTC(2026, 0, 31));
  const date = new Date(Date.UTC(2026, 0, 31));
  const other = new Odd(Date.UTC(2026, 1, 1));
  const filter = await Filter.build([odd], { fpr: 2 ** -32 });
  assert.deepStrictEqual(filter.bytes, (await Filter.build(new Set([date]), { fpr: 2 ** -32 })).bytes);
  assert.deepStrictEqual([filter.has(odd), filter.has(date), filter.has(other)], [true, true, false]);
  assert.deepStrictEqual([...filter.hasMany([odd, date, other])], [1, 1, 0]);
  const map = await RibbonMap.build([[odd, other]], { fpr: 2 ** -32 });
  assert.deepStrictEqual(map.getMany([date, odd, other]), ["2026-02-01 00:00:00+00", "2026-02-01 00:00:00+00", undefined]);
  const { message } = await throwsCode("CONFLICT", () => Filter.buildExact([odd], [date]));
  assert.match(message, /2026-01-31T00:00:00.000Z, member 0/);
});

await test("an array that a key changes while it is read", async () => {
  const words = ["a", "b", "c"];
  const filter = await Filter.build(words);
  const map = await RibbonMap.build(words.map((word) => [word, word]));
  // an array whose length becomes n when its element at is read
  const changing = (at, n) =>
    new Proxy([...words], {
      get(array, name) {
        const value = array[name];
        if (name === at) array.length = n;
        return value;
      },
    });
  assert.deepStrictEqual(filter.hasMany(changing("2", 1)), Uint8Array.of(1, 1, 1));
  assert.deepStrictEqual(map.getMany(changing("2", 1)), words);
  await throwsCode("KEY_TYPE", () => filter.hasMany(changing("0", 1)));
  assert.deepStrictEqual(filter.hasMany(changing("2", 5)), Uint8Array.of(1, 1, 1));
});

await test("missing hashes are left out", async () => {
  const [one, two] = [1n, 2n].map((hash) => new Key(hash, "hash"));
  const filter = await Filter.build([one, null, two, null], { key: "hash" });
  assert.ok(filter.size === 2 && filter.has(one) && filter.has(two));
});

await test("long texts that are no keys are cut in messages", async () => {
  const long = "x".repeat(100000);
  for (const name of ["numeric", "bit", "inet", "uuid", "macaddr", "pg_lsn", "date", "time", "timetz", "timestamptz"])
    assert.ok((await throwsCode("KEY", () => new Key(long, name))).message.length < 200, name);
  assert.ok((await throwsCode("KEY", () => new Key("1".repeat(140000), "numeric"))).message.length < 200);
});

await test("a Key has bytes of its own", async () => {
  const bytes = new Uint8Array(16);
  await throwsCode("KEY_TYPE", () => Key.canonical(bytes, "hash"));
  const keys = [new Key(bytes, "bytea"), new Key(bytes, "uuid"), Key.canonical(bytes, "bytea")];
  const [raw, uuids] = [await Filter.build([bytes]), await Filter.build([bytes], { key: "uuid" })];
  bytes[0] = 1;
  assert.ok(raw.has(keys[0]) && uuids.has(keys[1]) && raw.has(keys[2]) && !raw.has(bytes));
});

await test("blanks around a time do not count", async () => {
  for (const [name, text] of [
    ["date", "2026-01-31"],
    ["date", "0044-03-15 BC"],
    ["date", "infinity"],
    ["time", "23:59"],
    ["timetz", "23:59:59.5 +01"],
    ["timestamp", "2026-01-31"],
    ["timestamp", "-infinity"],
    ["timestamptz", "2026-01-31T23:59Z"],
  ]) {
    assert.strictEqual(form(` \t${text}\r\n`, name), form(text, name), `${name} ${text}`);
    await throwsCode("KEY", () => form(`\u00a0${text}`, name));
    await throwsCode("KEY", () => form(`${text}${" ".repeat(500000)}x`, name));
  }
  const map = await RibbonMap.build([[1, " 2026-01-31 "]], { value: "date" });
  assert.strictEqual(map.get(1), "2026-01-31");
});

await test("long texts take no longer than their length", async () => {
  const [n, began] = [500000, performance.now()];
  assert.strictEqual(form(`a${" ".repeat(n)}b${" ".repeat(n)}`, "char").length, 2 * (n + 2));
  const [blanks, zeros] = [" ".repeat(n), "0".repeat(n)];
  assert.strictEqual(form(`${blanks}1.${"0".repeat(16383)}${blanks}`, "numeric"), hex(Buffer.from("1")));
  for (const text of [`1.${zeros}`, `1.${zeros}1`, `${zeros}x`, `${blanks}x`, `1${blanks}x`])
    await throwsCode("KEY", () => form(text, "numeric"));
  assert.ok(performance.now() - began < 5000);
});

await test("what is no key of its class is refused", async () => {
  const wrong = [
    ["KEY_TYPE", "integer", "42"],
    ["KEY_TYPE", "integer", 1.5],
    ["KEY_TYPE", "integer", 2 ** 53],
    ["KEY_TYPE", "integer", null],
    ["KEY", "integer", 2n ** 63n],
    ["KEY", "timestamptz", 2n ** 64n],
    ["KEY", "timestamp", -(2n ** 63n) - 1n],
    ["KEY", "timestamptz", new Date(-8.64e15)],
    ["KEY", "interval", { months: 2n ** 31n }],
    ["KEY", "interval", { days: -(2n ** 31n) - 1n }],
    ["KEY", "interval", { microseconds: 2n ** 63n }],
    ["KEY_TYPE", "text", 42],
    ["KEY", "text", "\ud800"],
    ["KEY", "text", "a\udc00b"],
    ["KEY", "text", "a\0b"],
    ["KEY", "enum", "\0"],
    ["KEY", "char", "\0 "],
    ["KEY_TYPE", "bytea", "text"],
    ["KEY", "uuid", "a0ee"],
    ["KEY", "uuid", "z0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["KEY", "uuid", "a-0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["KEY", "uuid", "-a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["KEY", "uuid", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["KEY", "uuid", "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["KEY", "uuid", "a0-eebc999c0b4ef8bb6d6bb9bd380a11"],
    ["KEY_TYPE", "bool", 1],
    ["KEY", "date", "2026-02-30"],
    ["KEY", "date", "2026-1-1"],
    ["KEY_TYPE", "date", new Date()],
    ["KEY", "date", "0000-01-01"],
    ["KEY", "date", "5874898-01-01"],
    ["KEY", "timestamp", "294277-01-01"],
    ["KEY", "timestamptz", "2026-01-01 00:00+16"],
    ["KEY", "timestamptz", "2026-01-01 00:00+05:60"],
    ["KEY", "timestamptz", "4714-11-24 00:00+01 BC"],
    ["KEY", "timetz", "12:00-99"],
    ["KEY", "timetz", "12:00-050530"],
    ["KEY", "timetz", "12:00+0019:32"],
    ["KEY", "time", "24:00:01"],
    ["KEY", "time", "12:60"],
    ["KEY", "timestamp", "2026-01-01T00:00Z"],
    ["KEY", "timestamptz", "2026-01-01 00:00"],
    ["KEY", "timestamptz", new Date(NaN)],
    ["KEY", "oid", -1],
    ["KEY", "oid", 2 ** 32],
    ["KEY_TYPE", "float", "1"],
    ["KEY", "macaddr", "08:00"],
    ["KEY", "macaddr", "08:00:2b-01:02:03"],
    ["KEY", "macaddr", "0:800:2b:01:02:03"],
    ["KEY", "macaddr", "0800:2b01:0203"],
    ["KEY", "macaddr", "08002b.010203"],
    ["KEY", "macaddr", "08:002b010203"],
    ["KEY", "macaddr", "0800.2b01-0203"],
    ["KEY", "macaddr8", "08:00:2b:01:02:03:"],
    ["KEY", "numeric", "1e-16384"],
    ["KEY", "numeric", "11e131071"],
    ["KEY", "numeric", "1,5"],
    ["KEY", "numeric", ""],
    ["KEY", "numeric", "1e999999"],
    ["KEY", "numeric", "1e131072"],
    ["KEY", "numeric", "0e-16384"],
    ["KEY", "numeric", "0e1073741823"],
    ["KEY", "numeric", `0e${"9".repeat(400)}`],
    ["KEY_TYPE", "interval", { weeks: 1 }],
    ["KEY", "inet", "1.2.3.256"],
    ["KEY", "inet", "1.2.3"],
    ["KEY", "inet", "1::2::3"],
    ["KEY", "inet", "1.2.3.4/33"],
    ["KEY", "inet", "1:2"],
    ["KEY", "inet", "1.2.3.4::"],
    ["KEY", "inet", "a:1.2.3.4::5"],
    ["KEY", "inet", "::01.2.3.4"],
    ["KEY", "inet", "::1.2.03.4"],
    ["KEY", "inet", "fe80::/010"],
    ["KEY", "bit", "012"],
    ["KEY", "pg_lsn", "G/1"],
    ["KEY_TYPE", "array", [1]],
    ["KEY_TYPE", "jsonb", {}],
  ];
  for (const [code, keyClass, value] of wrong) {
    const error = await throwsCode(code, () => form(value, keyClass));
    assert.ok(error instanceof RibbonError && error.message.length > 10, keyClass);
  }
  await throwsCode("OPTION", () => new Key(1, "int"));
  await throwsCode("OPTION", () => new Key(1, "toString"));
});

await test("a filter reads keys as its class, and takes no others", async () => {
  const text = await Filter.build(["a", "b"]);
  assert.ok(text.has("a") && text.has(new Key("b", "text")));
  for (const key of [42, 42n, true, new Date(0), null, undefined, {}, new Key(1, "integer")])
    await throwsCode("KEY_TYPE", () => text.has(key));
  for (const key of ["a\0", `${"a".repeat(100)}\0`]) {
    await throwsCode("KEY", () => text.has(key));
    await throwsCode("KEY", () => text.hasMany([key]));
    await throwsCode("KEY", () => Filter.build([key]));
  }
  const char = await Filter.build(["a  "], { key: "char" });
  for (const [name, other, key] of [
    ["char", "char(n)", "a"],
    ["bool", "boolean", true],
  ]) {
    const filter = await Filter.build([key], { key: name });
    assert.deepStrictEqual(await Filter.build([new Key(key, other)], { key: other }), filter);
  }
  assert.ok(char.has("a ") && char.has(new Key("a    ", "text")));
  await throwsCode("KEY_TYPE", () => text.has(new Key("a", "char")));
  const dates = await Filter.build([new Date(0)]);
  assert.strictEqual(dates.keyClass, "timestamptz");
  assert.ok(dates.has("1970-01-01T00:00:00Z"));
});

await test("keys of several classes are no set", async () => {
  await throwsCode("KEY_TYPE", () => Filter.build(["a", 1]));
  await throwsCode("KEY_TYPE", () => Filter.build([1.5]));
  await throwsCode("KEY_TYPE", () => Filter.build([{}]));
  await throwsCode("KEY_TYPE", () => Filter.build([[1]], { key: "array" }));
  assert.strictEqual((await Filter.build([1.5, 2], { key: "float" })).keyClass, "float");
});

await test("a number of any size is cut in a message", async () => {
  const huge = 10n ** 5000n;
  const filter = await Filter.build([1n]);
  const errors = [
    await throwsCode("KEY", () => filter.has(huge)),
    await throwsCode("KEY", () => new Key(-huge, "oid")),
    await throwsCode("VALUE_RANGE", () => RibbonMap.build([[1, huge]])),
    await throwsCode("VALUE_TYPE", () => RibbonMap.build([[1, "a"], [2, huge]], { value: "text" })),
  ];
  for (const { message } of errors) assert.ok(message.length < 200, message.slice(0, 200));
});

end();
