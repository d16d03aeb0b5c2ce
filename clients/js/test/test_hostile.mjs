// test_hostile.mjs - bytes that no build made: an error or an answer, never a trap or an endless loop

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Filter, Key, RibbonMap } from "../lib/index.js";
import { end, randomNumbers, test, throwsCode, unhex } from "./testing.mjs";

const ROUNDS = 6000;
const golden = (name, column) =>
  readFileSync(new URL(`../../../test/golden/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[column])
    .filter((text) => !text.startsWith("="))
    .map(unhex);
const CODES = ["TRUNCATED", "VERSION", "CORRUPT", "DAMAGED", "NOT_A_MAP", "NOT_A_FILTER", "KEY_TYPE"];

// Run body; whether it ended well.  Any error but a RibbonError of these codes is a fault.
async function harmless(body) {
  try {
    await body();
    return true;
  } catch (error) {
    if (error.name !== "RibbonError" || !CODES.includes(error.code)) throw error;
    return false;
  }
}

// A key of whatever class the header names.
function anyKey(opened, i) {
  const name = opened.keyClass;
  return name === "hash"
    ? new Key(BigInt(i) * 0x9e3779b97f4a7cn, "hash")
    : Key.canonical(Uint8Array.of(i & 255, 1, 2), name);
}

async function tryBytes(type, bytes, deep) {
  const opened = await type.fromBytes(bytes);
  try {
    for (let i = 0; i < 50; i++)
      if (type === Filter) opened.has(anyKey(opened, i));
      else opened.get(anyKey(opened, i));
    if (deep) await opened.check();
  } finally {
    opened.close();
  }
}

function mutate(bytes, random) {
  const copy = bytes.slice(0, random(20) === 0 ? random(bytes.length) : bytes.length);
  for (let k = random(3); k >= 0 && copy.length > 0; k--) {
    const at = random(2) ? random(Math.min(copy.length, 40)) : random(copy.length);
    copy[at] = random(3) ? copy[at] ^ (1 << random(8)) : random(256);
  }
  return copy;
}

for (const [name, type, seeds] of [
  ["filters", Filter, golden("format_1.txt", 6)],
  ["maps", RibbonMap, golden("maps_1.txt", 7)],
])
  await test(`damaged ${name}`, async () => {
    const random = randomNumbers(name.length);
    const small = seeds.filter((bytes) => bytes.length < 10000);
    let opened = 0;
    for (let i = 0; i < ROUNDS; i++)
      opened += await harmless(() => tryBytes(type, mutate(small[random(small.length)], random), i % 16 === 0));
    assert.ok(opened > ROUNDS / 50 && opened < ROUNDS, `${opened} could be opened`);
  });

await test("maps with a dictionary that is damaged", async () => {
  const entries = Array.from({ length: 300 }, (_, i) => [i, i % 7 ? `value ${i % 50}` : null]);
  const bytes = (await RibbonMap.build(entries)).toBytes();
  const random = randomNumbers(7);
  let opened = 0;
  for (let i = 0; i < ROUNDS; i++) opened += await harmless(() => tryBytes(RibbonMap, mutate(bytes, random), false));
  assert.ok(opened > ROUNDS / 10);
});

await test("codes beyond the end of bigint are no key's", async () => {
  const most = (1n << 63n) - 1n;
  const entries = [
    [1, most - 1n],
    [2, most],
  ];
  const bytes = (await RibbonMap.build(entries, { value: "bigint" })).toBytes();
  const base = bytes.findIndex((byte, i) => byte === 0xfc && bytes[i + 1] === 0xff);
  bytes[base] = 0xfe; // zigzag, and so one more
  const map = await RibbonMap.fromBytes(bytes);
  assert.deepStrictEqual(map.getMany([1, 2]), [most, undefined]);
});

await test("a class of values that is unknown, and one whose dictionary is missing or too much", async () => {
  for (const [value, known, code, message] of [
    ["x", 0, undefined],
    ["x", 4, "CORRUPT", "its value class calls for a dictionary, or for none"],
    ["x", 9, "VERSION", "its value class is unknown"],
    [1n, 4, undefined],
    [1n, 0, "CORRUPT", "its value class calls for a dictionary, or for none"],
    [1n, 63, "VERSION", "its value class is unknown"],
  ]) {
    const bytes = (await RibbonMap.build([[1, value]])).toBytes();
    bytes[6] = (bytes[6] & 0xc0) | known; // docs/format.md, section 1
    if (code === undefined) assert.strictEqual((await RibbonMap.fromBytes(bytes)).get(1), value);
    else assert.strictEqual((await throwsCode(code, () => RibbonMap.fromBytes(bytes))).message, message);
  }
});

await test("every shorter and longer piece is refused", async () => {
  const bytes = (await Filter.build(Array.from({ length: 500 }, (_, i) => i))).toBytes();
  for (let n = 0; n < bytes.length; n++) await throwsCode("TRUNCATED", () => Filter.fromBytes(bytes.slice(0, n)));
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  await throwsCode("CORRUPT", () => Filter.fromBytes(longer));
});

await test("random bytes, and bytes of something else", async () => {
  const random = randomNumbers(3);
  for (let i = 0; i < ROUNDS; i++) {
    const bytes = Uint8Array.from({ length: random(200) }, () => random(256));
    if (bytes.length > 2) {
      bytes[0] = 0x11;
      bytes[1] &= 0x9f;
    }
    await harmless(() => tryBytes(Filter, bytes, true));
  }
  await throwsCode("VERSION", () => Filter.fromBytes(new TextEncoder().encode("<!DOCTYPE html>")));
});

await test("what check sees", async () => {
  const bytes = (
    await Filter.build(
      Array.from({ length: 50 }, (_, i) => i),
      { fpr: 1 / 8 },
    )
  ).toBytes();
  bytes[bytes.length - 1] |= 0x80;
  const filter = await Filter.fromBytes(bytes);
  await throwsCode("DAMAGED", () => filter.check());

  // texts of a dictionary lie side by side
  const map = await RibbonMap.build([
    [1, "gold"],
    [2, "lead"],
  ]);
  const at = map.toBytes().findIndex((_, i, all) => String.fromCharCode(...all.slice(i, i + 8)) === "goldlead");
  for (const text of ["gold\xfe\xfe\xfe\xfe", "leadgold", "goldgold", "gol\0lead"]) {
    const damaged = map.toBytes();
    damaged.set([...text].map((c) => c.charCodeAt(0)), at);
    const opened = await RibbonMap.fromBytes(damaged);
    await throwsCode("CORRUPT", () => opened.check());
  }
  assert.strictEqual(await map.check(), true);
});

await test("a type's name with a zero byte in it", async () => {
  const map = await RibbonMap.open(unhex("118104c32d0280011c0a70675f636174616c6f67047465780002010408302c2030312c20310002004d01"));
  assert.strictEqual(map.size, 2);
  await throwsCode("CORRUPT", () => map.check());
});

end();
