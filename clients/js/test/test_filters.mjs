// test_filters.mjs - filters and maps: build, ask, keep

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Chain, Filter, Key, RemoteFilter, RemoteMap, RibbonMap, expectedBytes } from "../lib/index.js";
import { end, hex, test, throwsCode } from "./testing.mjs";

const numbers = (n, from = 0) => Array.from({ length: n }, (_, i) => from + i);

await test("no member is missing, and others are turned away at the rate", async () => {
  for (const [n, options] of [
    [1, {}],
    [300, { width: 128 }],
    [5000, { fpr: 0.001 }],
    [40000, { width: 32, fpr: 1 / 256 }],
    [40000, { kind: "homogeneous" }],
    [100000, { fpr: 0.3 }],
    [20000, { kind: "auto", fpr: 1e-6 }],
  ]) {
    const filter = await Filter.build(numbers(n), options);
    assert.strictEqual(filter.size, n);
    assert.ok(filter.hasMany(numbers(n)).every((answer) => answer === 1));
    const others = filter.hasMany(BigInt64Array.from({ length: 100000 }, (_, i) => BigInt(n + i)));
    const positives = others.reduce((sum, answer) => sum + answer, 0);
    assert.ok(Math.abs(positives - 1e5 * filter.fpr) < 6 * Math.sqrt(1e5 * filter.fpr) + 2, `${n}: ${positives}`);
    assert.ok(filter.has(n - 1) && filter.has(BigInt(n - 1)));
  }
});

await test("the same set gives the same bytes", async () => {
  const words = numbers(5000).map((i) => `word ${i}`);
  const bytes = async (keys, options) => hex((await Filter.build(keys, options)).toBytes());
  const first = await bytes(words);
  assert.strictEqual(await bytes([...words].reverse()), first);
  assert.strictEqual(await bytes([...words, ...words, null]), first);
  assert.strictEqual(await bytes(new Set(words)), first);
  assert.strictEqual(await bytes(words.values()), first);
  assert.strictEqual(await bytes(words, { key: "text" }), first);
  assert.notStrictEqual(await bytes(words, { key: "enum" }), first);
  const integers = numbers(70000, -1000);
  assert.strictEqual(await bytes(BigInt64Array.from(integers, BigInt)), await bytes(integers));
});

await test("long and empty keys, one by one and many", async () => {
  const keys = ["", "x", "y".repeat(63), "y".repeat(64), "y".repeat(65), "é".repeat(300), "z".repeat(100000)];
  keys.push("w".repeat(2000000));
  const filter = await Filter.build(keys);
  assert.deepStrictEqual(
    [...filter.hasMany(keys)],
    keys.map(() => 1),
  );
  for (const key of keys) assert.ok(filter.has(key));
  const bytes = keys.map((key) => new TextEncoder().encode(key));
  const raw = await Filter.build(bytes, { fpr: 2 ** -32 });
  for (const key of bytes) assert.ok(raw.has(key) && !raw.has(Uint8Array.of(...key.subarray(0, 10), 1)));
});

await test("one of no class may be asked for any key", async () => {
  const empty = await Filter.open(Uint8Array.of(0x11, 0, 0, 0, 0));
  assert.strictEqual(empty.size, 0);
  for (const key of ["a", 42, 42n, new Date(0), Uint8Array.of(1)]) assert.strictEqual(empty.has(key), false);
  assert.deepStrictEqual(empty.hasMany(["a", 1]), new Uint8Array(2));
  assert.deepStrictEqual(empty.hasMany(new BigInt64Array(2)), new Uint8Array(2));
});

await test("an empty filter has nothing in it", async () => {
  const filter = await Filter.build([], { key: "text" });
  assert.strictEqual(filter.has("a"), false);
  assert.deepStrictEqual([filter.size, filter.fpr, hex(filter.toBytes())], [0, 0, "1102000000"]);
  assert.strictEqual(filter.hasMany([]).length, 0);
  await throwsCode("OPTION", () => Filter.build([]));
});

await test("files, URLs, copies", async () => {
  const filter = await Filter.build(["a", "b"]);
  const bytes = filter.toBytes();
  const folder = await mkdtemp(join(tmpdir(), "ribbon-"));
  try {
    const path = join(folder, "f.ribbon");
    await writeFile(path, bytes);
    const data = `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
    const files = [path, pathToFileURL(path), pathToFileURL(path).href];
    for (const source of [...files, data, bytes, bytes.buffer, new Blob([bytes]), new Response(bytes)])
      assert.ok((await Filter.open(source)).has("a"));
    await throwsCode("FILE", () => Filter.open(join(folder, "none")));
    await throwsCode("FILE", () => Filter.open(folder));
    const shown = await throwsCode("FILE", () => Filter.open(`\\x${hex(bytes).repeat(1000)}`));
    assert.ok(shown.message.length < 250 && /Buffer/.test(shown.hint), shown.message);
    const long = await throwsCode("NETWORK", () => Filter.open(`data:;base64,${"!".repeat(10000)}`));
    assert.ok(long.message.length < 250, long.message);
    await throwsCode("OPTION", () => Filter.open(42));
  } finally {
    await rm(folder, { recursive: true });
  }
  bytes.fill(0);
  assert.ok(filter.has("b"));
});

// What comes of opening what a command of the shell writes to a pipe.
function openPiped(command) {
  const open = `import(${JSON.stringify(String(new URL("../lib/index.js", import.meta.url)))}).then(({ Filter }) =>
    Filter.open("/dev/stdin")).then((filter) => console.log(filter.size), (error) => console.log(error.code))`;
  const piped = `${command} | "$0" -e '${open}'`;
  return spawnSync("bash", ["-c", piped, process.execPath], { encoding: "utf8", timeout: 60000 }).stdout.trim();
}

await test("a pipe is read to its end, and not where it has none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ribbon-"));
  try {
    const path = join(folder, "f.ribbon");
    await writeFile(path, (await Filter.build(Array.from({ length: 200000 }, (_, i) => i))).toBytes());
    assert.strictEqual(openPiped(`cat ${path}`), "200000");
    assert.strictEqual(openPiped(`head -c 100000 ${path}`), "TRUNCATED");
    assert.strictEqual(openPiped(`cat ${path} /dev/zero`), "CORRUPT");
  } finally {
    await rm(folder, { recursive: true });
  }
  await throwsCode("VERSION", () => Filter.open("/dev/zero"));
  await throwsCode("VERSION", () => RibbonMap.open("file:///dev/zero"));
  await throwsCode("TRUNCATED", () => Filter.open("/dev/null"));
});

await test("small filters by the thousand, and memory that is given back", async () => {
  const bytes = (await Filter.build(numbers(1000))).toBytes();
  const filters = [];
  for (let i = 0; i < 3000; i++) filters.push(await Filter.open(bytes));
  assert.ok(filters.every((filter) => filter.has(999)));
  filters.forEach((filter) => filter.close());
  filters[0].close();
  await throwsCode("CLOSED", () => filters[0].has(1));
  const { memory } = (await import("../lib/engine.js").then(({ engineFor }) => engineFor(1))).exports;
  const before = memory.buffer.byteLength;
  for (let round = 0; round < 3; round++) {
    const again = [];
    for (let i = 0; i < 3000; i++) again.push(await Filter.open(bytes));
    again.forEach((filter) => filter.close());
  }
  assert.strictEqual(memory.buffer.byteLength, before);
});

await test("what could not be opened is freed once", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const lists = Array.from({ length: 100 }, (_, i) => numbers(100).map((k) => 1000 * i + k));
  const built = await Promise.all(lists.slice(0, 50).map((keys) => Filter.build(keys)));
  class Odd extends Filter {
    static made;
    constructor(...args) {
      super(...args);
      Odd.made = this;
      throw new RangeError();
    }
  }
  const [filter] = built;
  const values = (await RibbonMap.build(lists[0].map((key) => [key, key]))).toBytes();
  await throwsCode("NOT_A_MAP", () => RibbonMap.open(filter.toBytes()));
  await throwsCode("NOT_A_FILTER", () => Filter.open(values));
  await assert.rejects(Odd.open(filter.toBytes()), RangeError);
  await throwsCode("CLOSED", () => Odd.made.has(1));
  Odd.made.close();
  Odd.made = undefined;
  const opened = await Promise.all(built.map((other) => Filter.open(other.toBytes())));
  for (let i = 0; i < 5; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  built.push(...(await Promise.all(lists.slice(50).map((keys) => Filter.build(keys)))));
  for (const [i, keys] of lists.entries()) assert.ok(keys.every((key) => built[i].has(key)));
  for (const [i, other] of opened.entries()) assert.ok(lists[i].every((key) => other.has(key)));
});

await test("shrink, check, size", async () => {
  const filter = await Filter.build(numbers(20000), { fpr: 1 / 4096 });
  const small = await filter.shrink(1 / 16);
  assert.ok(small.hasMany(numbers(20000)).every((answer) => answer === 1));
  assert.ok(small.stats.bytes < 0.4 * filter.stats.bytes && small.fpr > 0.05);
  await throwsCode("NOT_LARGER", () => small.shrink(0.001));
  assert.strictEqual(await small.check(), true);
  const expected = await expectedBytes(20000, { fpr: 1 / 4096 });
  assert.ok(Math.abs(filter.stats.bytes - expected) < 0.01 * expected);
});

await test("options that there are not", async () => {
  for (const fpr of [0, 0.6, -1, NaN, 1e-10]) await throwsCode("FPR", () => Filter.build([1], { fpr }));
  await throwsCode("FPR", () => Filter.build([1], { fpr: "0.1" }));
  await throwsCode("OPTION", () => Filter.build([1], { width: 16 }));
  await throwsCode("OPTION", () => Filter.build([1], { kind: "bloom" }));
  await throwsCode("OPTION", () => Filter.build([1], { seed: 1 }));
  await throwsCode("OPTION", () => Filter.build("abc"));
  const set = await Filter.buildExact([1], [2]);
  for (const other of [0.001, "x", true, () => ({})]) {
    await throwsCode("OPTION", () => Filter.build([1], other));
    await throwsCode("OPTION", () => Filter.buildExact([1], [2], other));
    await throwsCode("OPTION", () => RibbonMap.build([[1, 2]], other));
    await throwsCode("OPTION", () => new Chain([set]).delta([2], [1], other));
    await throwsCode("OPTION", () => expectedBytes(5, other));
  }
  for (const n of ["5", 5n, null, [], -1, 0.5, Infinity, NaN]) await throwsCode("OPTION", () => expectedBytes(n));
});

await test("an option that is undefined is none", async () => {
  const none = { fpr: undefined, width: undefined, key: undefined };
  const set = await Filter.buildExact([1], [2], { ...none, asOf: undefined });
  assert.deepStrictEqual(set, await Filter.buildExact([1], [2]));
  assert.deepStrictEqual(await Filter.build([1], { ...none, kind: undefined }), await Filter.build([1]));
  const others = { seed: undefined, code: undefined, value: undefined };
  assert.deepStrictEqual(await RibbonMap.build([[1, 2]], { ...none, ...others }), await RibbonMap.build([[1, 2]]));
  assert.strictEqual((await new Chain([set]).delta([], [], none)).keyClass, "integer");
});

await test("a filter is built or opened, and not made by new", async () => {
  for (const type of [Filter, RibbonMap, RemoteFilter, RemoteMap])
    for (const given of [[], [{}, {}, {}]]) await throwsCode("OPTION", () => new type(...given));
});

await test("maps give back the values of their keys", async () => {
  const n = 3000;
  const cases = [
    [(i) => `plan ${i % 7}`, "text"],
    [(i) => i % 3 === 0, "boolean"],
    [(i) => i * 10 - 5000, "integer"],
    [(i) => i * 2 ** 33, "bigint", BigInt, "bigint"],
    [(i) => BigInt(i) - 7n, "bigint"],
    [(i) => (i % 5 ? i : null), "integer"],
    [(i) => (i % 5 ? `t${i % 9}` : null), "text"],
    [() => null, "text"],
    [() => 7, "integer"],
    [(i) => [(1n << 63n) - 1n, -(1n << 63n)][i % 2], "bigint"],
  ];
  for (const [value, type, convert = (x) => x, given] of cases) {
    const map = await RibbonMap.build(
      numbers(n).map((i) => [`key ${i}`, value(i)]),
      { fpr: 0.001, value: given },
    );
    assert.strictEqual(map.valueType, type);
    const values = map.getMany(numbers(n).map((i) => `key ${i}`));
    numbers(n).forEach((i) => assert.strictEqual(values[i], value(i) === null ? null : convert(value(i))));
    assert.strictEqual(map.get("key 5"), value(5) === null ? null : convert(value(5)));
    const others = map.getMany(numbers(n).map((i) => `other ${i}`));
    assert.ok(others.filter((found) => found !== undefined).length < 30);
    assert.strictEqual(await map.check(), true);
  }
});

await test("codes by frequency", async () => {
  const n = 20000;
  const value = (i) => (i % 20 ? "free" : `plan ${i % 400}`);
  const entries = numbers(n).map((i) => [i, value(i)]);
  const sizes = {};
  for (const code of ["plain", "entropy", "auto"]) {
    const map = await RibbonMap.build(entries, { fpr: 1, code });
    assert.strictEqual(map.stats.code, code === "plain" ? "plain" : "entropy");
    assert.deepStrictEqual(
      map.getMany(numbers(n)),
      numbers(n).map((i) => value(i)),
    );
    assert.strictEqual(await map.check(), true);
    sizes[code] = map.stats.bytes;
  }
  assert.ok(sizes.entropy < 0.5 * sizes.plain && sizes.auto === sizes.entropy);
  await throwsCode("OPTION", () => RibbonMap.build(entries, { code: "huffman" }));
});

await test("dates and times as values", async () => {
  const build = (values, value) =>
    RibbonMap.build(
      values.map((v, i) => [i, v]),
      { value },
    );
  const dates = ["2026-01-31", "0044-03-15", "infinity", "-infinity"];
  for (const texts of [dates.slice(0, 2), dates]) {
    const map = await build(texts, "date");
    texts.forEach((text, i) => assert.strictEqual(map.get(i), text));
  }
  const stamps = ["2026-01-31 12:34:56.789", "1999-12-31 23:59:59.999999", "2000-01-01 00:00:00"];
  let map = await build(stamps, "timestamp");
  stamps.forEach((text, i) => assert.strictEqual(map.get(i), text));
  map = await build([new Date(0), new Date(1500)]);
  assert.deepStrictEqual(
    [map.valueType, map.get(0), map.get(1)],
    ["timestamptz", "1970-01-01 00:00:00+00", "1970-01-01 00:00:01.5+00"],
  );
});

await test("maps without check bits, with seeds, and what they refuse", async () => {
  const entries = numbers(2000).map((i) => [i, i % 16]);
  const map = await RibbonMap.build(new Map(entries), { fpr: 1 });
  assert.ok(map.stats.bytes < 1100 && map.get(77) === 13);
  const seeded = await RibbonMap.build(entries, { seed: 12345 });
  assert.strictEqual(seeded.stats.seed, 12345);
  entries.forEach(([key, value]) => assert.strictEqual(seeded.get(key), value));
  assert.strictEqual(seeded.getMany(BigInt64Array.of(5n))[0], 5);
  await throwsCode("CONFLICT", () =>
    RibbonMap.build([
      [1, 2],
      [1, 3],
    ]),
  );
  await throwsCode("VALUE_TYPE", () =>
    RibbonMap.build([
      [1, 2],
      [2, "x"],
    ]),
  );
  await throwsCode("VALUE_TYPE", () => RibbonMap.build([[1, 1.5]]));
  const flips = await throwsCode("VALUE_TYPE", () => RibbonMap.build(new Map(Object.entries({ a: 1, b: 2 ** 31 }))));
  assert.match(flips.hint, /value: "bigint"/);
  await throwsCode("VALUE_RANGE", () => RibbonMap.build([[1, 70000]], { value: "smallint" }));
  await throwsCode("VALUE_RANGE", () => RibbonMap.build(numbers(65537).map((i) => [i, `${i}`])));
  await throwsCode("OPTION", () => RibbonMap.build([[1, 1]], { value: "money" }));
  await throwsCode("OPTION", () => RibbonMap.build([[1, 1]], { seed: -1 }));
  for (const kind of ["homogeneous", "auto"]) await throwsCode("OPTION", () => RibbonMap.build([[1, 1]], { kind }));
  await throwsCode("NOT_A_FILTER", () => Filter.open(map.toBytes()));
  const filter = await Filter.build([1]);
  await throwsCode("NOT_A_MAP", () => RibbonMap.open(filter.toBytes()));
});

await test("exact sets are right about their universe", async () => {
  for (const [n, share] of [
    [0, 2],
    [50, 2],
    [20000, 3],
    [20000, 70],
    [3000, 1e9],
  ]) {
    const universe = numbers(n).map((i) => `key ${i}`);
    const members = universe.filter((_, i) => i % share === 0);
    const others = universe.filter((_, i) => i % share !== 0);
    const set = await Filter.buildExact(members, others, { key: "text", asOf: "2026-01-31T12:00:00Z" });
    assert.ok(
      set.hasMany(members).every((answer) => answer === 1) && set.hasMany(others).every((answer) => answer === 0),
    );
    assert.ok(members.every((key) => set.has(key)));
    const { kind, universe: size, asOf } = set.stats;
    assert.deepStrictEqual([kind, size, asOf, set.size], ["exact", n, "2026-01-31 12:00:00+00", members.length]);
    assert.strictEqual(await set.check(), true);
    if (n > 0) await throwsCode("EXACT", () => set.shrink(0.5));
  }
  const integers = await Filter.buildExact(BigInt64Array.of(5n), [6, 7, null]);
  assert.strictEqual(hex(integers.toBytes()), "118118010200340004"); // as ribbon_build_exact gives it
  await throwsCode("CONFLICT", () => Filter.buildExact([1, 2], [2, 3]));
  await throwsCode("OPTION", () => Filter.buildExact([1], [2], { rate: 0.1 }));
  for (const fpr of [1, 0.6, 0, NaN, "0.1", null]) await throwsCode("FPR", () => Filter.buildExact([1], [2], { fpr }));
  await throwsCode("KEY_TYPE", () => Filter.buildExact([1], ["a"]));
  await throwsCode("KEY_TYPE", () => Filter.buildExact([new Key(1n, "hash")], []));
});

await test("a conflict names the first key that contradicts an earlier one", async () => {
  const many = numbers(5000).map((i) => [`key ${i}`, i % 9]);
  const cases = [
    [
      [
        ["a", "gold"],
        [null, "x"],
        ["b", "free"],
        ["a", "gold"],
        ["b", null],
        ["a", "free"],
      ],
      {},
      'a key has two values: "b", "free" in entry 2, null in entry 4',
    ],
    [
      [...many, ["key 4999", 4], ["key 17", 0], ["key 3", 4]],
      { seed: 7 },
      'a key has two values: "key 17", 8 in entry 17, 0 in entry 5001',
    ],
    [
      [
        [1n, 1n],
        [2n, 2n],
        [1n, 3n],
      ],
      {},
      "a key has two values: 1n, 1n in entry 0, 3n in entry 2",
    ],
    [
      [
        [Buffer.of(1, 255), 1],
        [Uint8Array.of(1, 255), 2],
      ],
      {},
      "a key has two values: \\x01ff, 1 in entry 0, 2 in entry 1",
    ],
    [
      [
        ["a".repeat(200), 1],
        ["a".repeat(200), 2],
      ],
      {},
      `a key has two values: "${"a".repeat(99)}..., 1 in entry 0, 2 in entry 1`,
    ],
    [
      [
        ["1.0", 1],
        ["1.00", 2],
      ],
      { key: "numeric" },
      'a key has two values: "1.0", 1 in entry 0, 2 in entry 1',
    ],
    [
      [
        [new Date(0), 1],
        [new Key(new Date(0), "timestamptz"), 2],
      ],
      {},
      "a key has two values: 1970-01-01T00:00:00.000Z, 1 in entry 0, 2 in entry 1",
    ],
    [
      [
        [{ days: 30 }, true],
        [{ months: 1 }, false],
      ],
      { key: "interval" },
      "a key has two values: { days: 30 }, true in entry 0, false in entry 1",
    ],
    [
      [
        [5n, 1],
        [6n, 2],
        [5n, 2],
      ].map(([hash, value]) => [new Key(hash, "hash"), value]),
      {},
      "a key has two values: Key of class hash, 1 in entry 0, 2 in entry 2",
    ],
  ];
  for (const [entries, options, message] of cases) {
    const error = await throwsCode("CONFLICT", () => RibbonMap.build(entries, options));
    assert.strictEqual(error.message, message);
    assert.match(error.hint, /one value/);
  }
  const error = await throwsCode("CONFLICT", () =>
    Filter.buildExact(numbers(3000).map(String), [null, ...numbers(3000, 3000).map(String), "2999", "5"]),
  );
  assert.match(error.message, /among the others: "2999", member 2999 and other 3001$/);
  const first = await throwsCode("CONFLICT", () => Filter.buildExact([1, null, 1, 2], [3, null, 2, 1]));
  assert.match(first.message, /among the others: 2, member 3 and other 2$/);
});

await test("stats are the columns of ribbon_stats", async () => {
  const script = readFileSync(new URL("../../../sql/ribbon--1.0.sql", import.meta.url), "utf8");
  const columns = [...script.matchAll(/^CREATE FUNCTION ribbon_stats\((.*?)\)$/gms)].map(([, all]) =>
    [...all.matchAll(/OUT (\w+)/g)].map(([, name]) =>
      name === "key_type" ? "keyClass" : name.replace(/_(\w)/g, (_, first) => first.toUpperCase()),
    ),
  );
  const names = ({ stats }) => Object.keys(stats).filter((name) => !["seed", "width"].includes(name));
  const filter = await Filter.build([1, 2]);
  const ofSets = ["universe", "asOf"];
  assert.deepStrictEqual(
    names(filter),
    columns[0].filter((name) => !ofSets.includes(name)),
  );
  assert.deepStrictEqual(names(await Filter.buildExact([1], [2])), columns[0]);
  assert.deepStrictEqual(names(await RibbonMap.build([[1, 2]])), columns[1]);
});

await test("stats of maps say what the server's do", async () => {
  const values = { usual: (i) => (i % 20 === 7 ? `v${i % 9}` : "usual"), two: (i) => i % 10 < 7, uniform: (i) => i % 256 };
  // of expected/map_code.out
  for (const [name, fpr, code, distinct, overhead, bytes] of [
    ["usual", 1, "entropy", 10, 0.026952, 1262],
    ["usual", 1, "plain", 10, 0.0041, 10092],
    ["usual", 0.01, "entropy", 10, 0.01481, 18104],
    ["usual", 0.01, "plain", 10, 0.0096863, 26919],
    ["two", 1, "entropy", 2, 0.01019, 2405],
    ["two", 1, "plain", null, 0.0072, 2518],
    ["uniform", 1, "entropy", 256, 0.00335, 20323],
    ["uniform", 1, "plain", null, 0.00295, 20059],
  ]) {
    const map = await RibbonMap.build(
      numbers(20000, 1).map((i) => [i, values[name](i)]),
      { fpr, code },
    );
    const { stats } = map;
    assert.deepStrictEqual(
      [stats.kind, stats.code, stats.distinctValues, Number(stats.overhead.toPrecision(5)), stats.bytes],
      ["map", code, distinct, overhead, bytes],
    );
    assert.deepStrictEqual([stats.valueType, stats.formatVersion], [map.valueType, 1]);
  }
});

await test("the overhead of filters and sets is beyond the least bits", async () => {
  const overheadOver = (bits, { stats }) => (8 * stats.bytes) / stats.keys / bits - 1;
  for (const options of [{}, { kind: "homogeneous" }, { fpr: 2 ** -20, width: 128 }]) {
    const filter = await Filter.build(numbers(5000), options);
    assert.strictEqual(filter.stats.overhead, overheadOver(-Math.log2(filter.fpr), filter));
    assert.strictEqual(filter.stats.ribbonWidth, filter.stats.width);
  }
  const half = await Filter.buildExact(numbers(5000), numbers(5000, 5000)); // a bit for each of two keys
  assert.strictEqual(half.stats.overhead, overheadOver(2, half));
  const rated = await Filter.buildExact(numbers(5000), numbers(5000, 5000), { fpr: 0.01 });
  assert.strictEqual(rated.stats.overhead, overheadOver(-Math.log2(rated.fpr), rated));
  for (const set of [await Filter.build([], { key: "text" }), await Filter.buildExact([1], [])])
    assert.strictEqual(set.stats.overhead, null);
});

await test("printed, as JSON and as text: a line", async () => {
  const filter = await Filter.build(["a", "b", "c"]);
  const line = `Filter of 3 keys of class text, fpr ${Number(filter.fpr.toPrecision(3))}, ${filter.stats.bytes} bytes`;
  for (const text of [
    String(filter),
    JSON.parse(JSON.stringify({ filter })).filter,
    inspect(filter),
    inspect([filter]).slice(2, -2),
  ])
    assert.strictEqual(text, line);
  const map = await RibbonMap.build([["a", 1]]);
  assert.match(String(map), /^RibbonMap of 1 key of class text, fpr/);
  assert.match(
    String(await Filter.buildExact([1], [2, 3])),
    /^Filter of 1 key of class integer in a universe of 3, fpr/,
  );
  assert.strictEqual(JSON.stringify(new Key(1n, "oid")), '"Key of class oid"');
  filter.close();
  assert.strictEqual(inspect(filter), "Filter, closed");
});

await test("a clone has the bytes, which open takes; comparisons look at them", async () => {
  const filter = await Filter.build(["a", "b", "c"]);
  const clone = structuredClone(filter);
  assert.deepStrictEqual(Object.keys(clone), ["bytes"]);
  assert.ok((await Filter.open(clone)).has("b"));
  assert.deepStrictEqual(await Filter.build(["c", "b", "a"]), filter);
  assert.notDeepStrictEqual(await Filter.build(["c", "b", "x"]), filter);
  const map = structuredClone(await RibbonMap.build([["a", 1n]]));
  assert.strictEqual((await RibbonMap.open(map)).get("a"), 1n);
  filter.close();
  await throwsCode("CLOSED", () => structuredClone(filter));
});

await test("one key of bytes is not many keys", async () => {
  const digest = new Uint8Array(20);
  const filter = await Filter.build([digest]);
  assert.ok(filter.has(digest));
  for (const ask of [
    () => Filter.build(digest),
    () => Filter.build(Buffer.from(digest)),
    () => Filter.buildExact(digest, []),
    () => RibbonMap.build(digest),
    () => filter.hasMany(digest),
  ])
    assert.match((await throwsCode("KEY_TYPE", ask)).hint, /\[bytes\]/);
});

await test("hashes of one's own", async () => {
  const hashes = BigUint64Array.from({ length: 1000 }, (_, i) => BigInt.asUintN(64, BigInt(i) * 0x9e3779b97f4a7c15n));
  const filter = await Filter.build(hashes, { key: "hash" });
  assert.ok(hashes.every((hash) => filter.has(new Key(hash, "hash"))));
  assert.ok(filter.hasMany(Array.from(hashes, (hash) => new Key(hash, "hash"))).every((answer) => answer === 1));
  await throwsCode("KEY_TYPE", () => filter.has(5n));
});

await test("a seed is of keys, which have two hashes, and not of hashes alone", async () => {
  const entries = numbers(100).map((i) => [new Key(BigInt(i), "hash"), i]);
  assert.strictEqual((await RibbonMap.build(entries, { seed: 0 })).get(entries[7][0]), 7);
  await throwsCode("KEY_TYPE", () => RibbonMap.build(entries, { seed: 1 }));
  await throwsCode("KEY_TYPE", () => RibbonMap.build([], { key: "hash", seed: 1 }));
  // that of another program, which has both
  const bytes = (await RibbonMap.build(numbers(100).map((i) => [i, i]), { seed: 1 })).toBytes();
  bytes[1] &= 0xe0; // its class
  const map = await RibbonMap.open(bytes);
  assert.deepStrictEqual([map.keyClass, map.stats.seed], ["hash", 1]);
  await throwsCode("KEY_TYPE", () => map.get(entries[0][0]));
  await throwsCode("KEY_TYPE", () => map.getMany([entries[0][0]]));
});

// Keys of 64 bytes that have both hashes alike.  XXH3 multiplies word 0 by one that is 0, and word 4, too; XXH64 takes
// both into one lane, where the one makes up for the other.
function alike(...firsts) {
  const [p1, p2] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn];
  const low = (number) => BigInt.asUintN(64, number);
  let inverse = 1n;
  for (let i = 0; i < 6; i++) inverse = low(inverse * (2n - p2 * inverse));
  const lane = (word) => {
    const sum = low(p1 + p2 + word * p2);
    return low(((sum << 31n) | (sum >> 33n)) * p1);
  };
  return firsts.map((first) => {
    const words = [first, 0x1cad21f72c81017cn, 0n, 0n, low((lane(0n) - lane(first)) * inverse)];
    return new Uint8Array(BigUint64Array.of(...words, 0x4c263a81e69035e0n, 0n, 0n).buffer);
  });
}

await test("behind the last seed the first one is advised", async () => {
  const entries = alike(1n, 2n).map((key, i) => [key, i]);
  for (const [seed, next] of [
    [0, 1],
    [7, 8],
    [4294967295, 0],
  ]) {
    const error = await throwsCode("CONFLICT", () => RibbonMap.build(entries, { seed }));
    assert.match(error.message, /^two keys have one hash/);
    assert.ok(error.hint.includes(`say { seed: ${next} }`), error.hint);
  }
});

end();
