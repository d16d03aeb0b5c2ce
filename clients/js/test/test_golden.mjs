// test_golden.mjs - the golden values of test/golden: the same bytes, and the answers that go with them

import assert from "node:assert";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Filter, Key } from "../lib/index.js";
import { Engine } from "../lib/engine.js";
import { buildFilter } from "../lib/build/filter.js";
import { end, hex, mix, test, unhex } from "./testing.mjs";

const lines = (name) =>
  readFileSync(new URL(`../../../test/golden/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const goldenKey = (i, shift) => mix(BigInt(i) + 0x60den) >> BigInt(shift);
const goldenValue = (i, bits) => mix(BigInt(i) + 0x60dfn) & ((1n << BigInt(bits)) - 1n);

// The keys of keys_1.txt that are values here: what i stands for, by the expression.
const KEYS = {
  "i::int2": [(i) => i, "integer"],
  i: [(i) => BigInt(i), "integer"],
  "i::int8 << 40": [(i) => BigInt(i) << 40n, "integer"],
  "(ARRAY['a', 'é', ' b '])[i]": [(i) => ["a", "é", " b "][i - 1], "text"],
  "(ARRAY['a', 'é', ' b'])[i]::char(4)": [(i) => ["a", "é", " b  "][i - 1], "char"],
  "('x' || i)::name": [(i) => `x${i}`, "text"],
  "decode(repeat('0a', i), 'hex')": [(i) => new Uint8Array(i).fill(10), "bytea"],
  "i > 1": [(i) => i > 1, "bool"],
  "date '2000-01-01' + i": [(i) => `2000-01-0${i + 1}`, "date"],
  "time '00:00' + i * interval '1 microsecond'": [(i) => `00:00:00.00000${i}`, "time"],
  "(ARRAY['12:00+01', '12:00-05:30', '24:00+00'])[i]::timetz": [
    (i) => ["12:00+01", "12:00-05:30", "24:00+00"][i - 1],
    "timetz",
  ],
  "timestamp '2000-01-01' + i * interval '1 second'": [(i) => `2000-01-01 00:00:0${i}`, "timestamp"],
  "timestamptz '2000-01-01 00:00+00' + i * interval '1 second'": [
    (i) => new Date(Date.UTC(2000, 0, 1, 0, 0, i)),
    "timestamptz",
  ],
  "i::oid": [(i) => i, "oid"],
  "i::float4 / 8": [(i) => i / 8, "float"],
  "(ARRAY['-0', 'NaN', '1e300'])[i]::float8": [(i) => [-0, NaN, 1e300][i - 1], "float"],
  "(ARRAY['1.00', 'NaN', '-1e40'])[i]::numeric": [(i) => ["1.00", "NaN", "-1e40"][i - 1], "numeric"],
  "i * interval '1 month 2 days 3 seconds'": [
    (i) => ({ months: i, days: 2 * i, microseconds: 3000000 * i }),
    "interval",
  ],
  "('10.0.0.' || i || '/8')::inet": [(i) => `10.0.0.${i}/8`, "inet"],
  "('2001:db8::' || i)::inet": [(i) => `2001:db8::${i}`, "inet"],
  "('08:00:2b:01:02:0' || i)::macaddr": [(i) => `08:00:2b:01:02:0${i}`, "macaddr"],
  "('08:00:2b:01:02:03:04:0' || i)::macaddr8": [(i) => `08:00:2b:01:02:03:04:0${i}`, "macaddr8"],
  "(i::int8 << 33)::text::xid8": [(i) => BigInt(i) << 33n, "xid8"],
  "('1/' || i)::pg_lsn": [(i) => `1/${i}`, "pg_lsn"],
  "substring(B'101' FOR i)": [(i) => "101".slice(0, i), "bit"],
  "(enum_range(NULL::mood))[i]": [(i) => ["sad", "ok", "happy"][i - 1], "enum"],
};
const MD5 = [
  "c4ca4238a0b923820dcc509a6f75849b",
  "c81e728d9d4c2f636f067f89cc14862c",
  "eccbc87e4b5ce2fe28308fd9f2a7baf3",
];
KEYS["md5(i::text)::uuid"] = [(i) => MD5[i - 1], "uuid"];

await test("keys of each class give the server's bytes, and are found in them", async () => {
  let seen = 0;
  for (const line of lines("keys_1.txt")) {
    const [expression, bytes] = line.split("\t");
    const filter = await Filter.open(unhex(bytes));
    if (!Object.hasOwn(KEYS, expression)) continue;
    const [key, keyClass] = KEYS[expression];
    const keys = [1, 2, 3].map(key);
    assert.strictEqual(hex((await Filter.build(keys, { key: keyClass })).toBytes()), bytes, expression);
    assert.strictEqual(filter.keyClass, keyClass, expression);
    for (const k of keys) assert.ok(filter.has(k) && filter.has(new Key(k, keyClass)), expression);
    seen++;
  }
  assert.strictEqual(seen, Object.keys(KEYS).length);
});

await test("a large set gives the server's bytes", async () => {
  // md5(ribbon_build('user-' || i || '@example.org', 0.001)::bytea) for i from 1 to 200000
  const keys = Array.from({ length: 200000 }, (_, i) => `user-${i + 1}@example.org`);
  const bytes = (await Filter.build(keys, { fpr: 0.001 })).toBytes();
  assert.strictEqual(createHash("md5").update(bytes).digest("hex"), "3d705a22c5399af569233f85ed70553d");
});

await test("arrays, by their canonical bytes", async () => {
  const bytes = Object.fromEntries(lines("keys_1.txt").map((line) => line.split("\t")))["ARRAY[i, NULL]"];
  const filter = await Filter.open(unhex(bytes));
  for (let i = 1; i <= 3; i++) {
    const form = unhex(`01 02000000 01000000 01 01 0${i}00000000000000 00`.replaceAll(" ", ""));
    assert.ok(filter.has(Key.canonical(form, "array")));
  }
});

await test("filters of format 1: the same bytes, and all keys are found", async () => {
  for (const line of lines("format_1.txt")) {
    const [kind, width, fpr, n, shift, shrunk, bytes] = line.split(" ");
    const hashes = BigUint64Array.from({ length: +n }, (_, i) => goldenKey(i, +shift));
    // they are of class 1, whatever they are hashes of
    let built = await Filter.fromBytes(await buildFilter(hashes, { kind, width: +width, fpr: +fpr, key: "hash" }));
    if (+shrunk > 0) built = await built.shrink(+shrunk);
    const got = built.toBytes();
    got[1] |= 1;
    assert.ok(hex(got) === bytes, `${line.slice(0, 40)}: other bytes`);
    got[1] &= ~1;
    const filter = await Filter.open(got);
    for (let i = 0; i < +n; i++) assert.ok(filter.has(new Key(hashes[i], "hash")), `${line.slice(0, 40)}: key ${i}`);
    assert.strictEqual(await filter.check(), true);
    built.close();
    filter.close();
  }
});

await test("maps of format 1: all codes", async () => {
  const engine = await Engine.create();
  let seen = 0;
  for (const line of lines("maps_1.txt")) {
    const [, , bits, n, shift, , , bytes] = line.split(" ");
    if (bytes.startsWith("=")) continue;
    const raw = unhex(bytes);
    const at = engine.alloc(raw.length);
    engine.u8.set(raw, at);
    const about = engine.open(at, raw.length);
    assert.ok(about.isMap && about.keys === +n && about.valueBits === +bits, line.slice(0, 40));
    for (let i = 0; i < +n; i++) {
      assert.ok(engine.probe(about.opened, goldenKey(i, +shift), true), `${line.slice(0, 40)}: key ${i}`);
      assert.strictEqual(engine.getCode(), goldenValue(i, +bits), `${line.slice(0, 40)}: code ${i}`);
    }
    engine.free(about.opened);
    engine.free(at);
    seen++;
  }
  assert.ok(seen >= 10);
});

end();
