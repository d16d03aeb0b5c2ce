// test_filters.mjs - filters and exact sets: build, ask, stats, options

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { Chain, Filter, Key, RemoteFilter, RemoteMap, RibbonMap, expectedBytes } from "../lib/index.js";
import { end, hex, numbers, test, throwsCode } from "./testing.mjs";

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
  await throwsCode("OPTION", () => Filter.build(new String("abc"))); // whose letters are no keys, either
  await throwsCode("OPTION", () => Filter.build(runInNewContext(`new String("abc")`)));
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

end();
