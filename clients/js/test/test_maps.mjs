// test_maps.mjs - maps: build, ask, stats, conflicts

import assert from "node:assert";
import { Filter, Key, RibbonMap } from "../lib/index.js";
import { end, numbers, test, throwsCode } from "./testing.mjs";

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

await test("a member of an exact set whose hashes are another key's is not called that key", async () => {
  const [key, other] = alike(1n, 2n);
  const error = await throwsCode("CONFLICT", () => Filter.buildExact([Uint8Array.of(7), key], [other]));
  assert.match(error.message, /^two keys have one hash: \\x0100.* and \\x0200.*, member 1 and other 0$/);
});

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

await test("a key of canonical bytes is the key that a value makes", async () => {
  const words = { integer: 42n, float: 0.5, timestamp: 42n, timestamptz: 42n, xid8: 42n, pg_lsn: 42n, time: "00:00:01" };
  for (const [name, value] of Object.entries(words)) {
    const key = new Key(value, name);
    const again = Key.canonical(new Uint8Array(BigUint64Array.of(key.form).buffer), name);
    assert.strictEqual(again.form, key.form, name);
    const error = await throwsCode("CONFLICT", () =>
      RibbonMap.build([
        [key, "a"],
        [again, "b"],
      ]),
    );
    assert.match(error.message, /^a key has two values/, name);
  }
});

await test("a wrong value is told from a wrong key", async () => {
  for (const [code, type, value] of [
    ["VALUE_RANGE", "date", "x"],
    ["VALUE_RANGE", "timestamp", "2026-13-01"],
    ["VALUE_RANGE", "timestamptz", new Date(NaN)],
    ["VALUE_RANGE", "text", "\ud800"],
    ["VALUE_RANGE", "bigint", 1n << 63n],
    ["VALUE_TYPE", "date", 1],
    ["VALUE_TYPE", "boolean", 1],
  ])
    await throwsCode(code, () => RibbonMap.build([[1, value]], { value: type }));
});

end();
