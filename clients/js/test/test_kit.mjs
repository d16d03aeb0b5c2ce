// test_kit.mjs - test/golden/kit_1.txt, the kit for writers of readers (test/golden/README.md)

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Filter, RibbonMap } from "../lib/index.js";
import { Engine } from "../lib/engine.js";
import { classNumber } from "../lib/classes.js";
import { canonicalForm } from "../lib/keys.js";
import { end, hex, test, unhex } from "./testing.mjs";

const BEHIND = 1000; // keys behind a filter's that are asked for
const lines = readFileSync(new URL("../../../test/golden/kit_1.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const of = (kind) => lines.filter(([first]) => first === kind).map(([, ...fields]) => fields);
const className = (type) => (type === "boolean" ? "bool" : type);

// A key as PostgreSQL writes it, as a value of JavaScript.
function keyOf(type, text) {
  switch (type) {
    case "integer":
    case "oid":
    case "xid8":
      return BigInt(text);
    case "boolean":
      return text === "true";
    case "float":
      return Number(text);
    case "bytea":
      return unhex(text.slice(2));
    default:
      return text;
  }
}

function valueOf(type, text) {
  if (text === "\\N") return null;
  if (type === "boolean") return text === "true";
  if (type === "bigint") return BigInt(text);
  return ["smallint", "integer"].includes(type) ? Number(text) : text;
}

const keysOf = (type, first, n) => Array.from({ length: n }, (_, i) => keyOf(type, String(first + i)));

await test("canonical bytes and hashes of keys", async () => {
  const engine = await Engine.create();
  const keys = of("key");
  for (const [type, text, bytes, hash] of keys) {
    const form = canonicalForm(keyOf(type, text), classNumber(className(type)));
    const got = typeof form === "bigint" ? hex(new Uint8Array(BigUint64Array.of(form).buffer)) : hex(form);
    assert.strictEqual(got, bytes, `${type} ${text}`);
    assert.strictEqual(engine.hash(form, 0).toString(16).padStart(16, "0"), hash, `${type} ${text}`);
  }
  assert.ok(keys.length > 50);
});

// Which of the keys behind the first n pass.
function positivesOf(filter, type, n) {
  const answers = [...filter.hasMany(keysOf(type, n + 1, BEHIND))];
  return answers.flatMap((answer, i) => (answer ? [n + 1 + i] : [])).join(",");
}

await test("filters: the same bytes, all keys, and the same wrong yes", async () => {
  for (const [type, fpr, kind, width, n, bytes, positives] of of("filter")) {
    const keys = keysOf(type, 1, +n);
    const built = await Filter.build(keys, { key: className(type), fpr: +fpr, kind, width: +width });
    assert.strictEqual(hex(built.toBytes()), bytes);
    const filter = await Filter.open(unhex(bytes));
    assert.ok(filter.hasMany(keys).every((answer) => answer === 1));
    assert.strictEqual(positivesOf(filter, type, +n), positives);
  }
});

await test("maps: the same bytes and values", async () => {
  for (const [type, valueType, fpr, seed, texts, bytes, answers] of of("map")) {
    const values = texts.split(",").map((text) => valueOf(valueType, text));
    const keys = keysOf(type, 1, values.length);
    const entries = keys.map((key, i) => [key, values[i]]);
    const built = await RibbonMap.build(entries, { key: type, value: valueType, fpr: +fpr, seed: +seed });
    assert.strictEqual(hex(built.toBytes()), bytes);
    const map = await RibbonMap.open(unhex(bytes));
    assert.deepStrictEqual(map.getMany(keys), values);
    const behind = keysOf(type, values.length + 1, fpr === "1" ? 10 : BEHIND);
    const got = map
      .getMany(behind)
      .flatMap((value, i) => (value === undefined ? [] : [`${behind[i]}=${value ?? "\\N"}`]));
    assert.strictEqual(got.join(","), answers ?? "");
  }
});

// An exact set of these bytes, that is built to them and makes no mistake.
async function checkExact(type, n, m, bytes, options) {
  const universe = Array.from({ length: +n }, (_, i) => i + 1);
  const keys = (test) => universe.filter((i) => test((i % m === 0) === m > 0)).map((i) => keyOf(type, String(i)));
  const [members, others] = [keys((member) => member), keys((member) => !member)];
  const built = await Filter.buildExact(members, others, { key: type, ...options });
  assert.strictEqual(hex(built.toBytes()), bytes);
  const set = await Filter.open(unhex(bytes));
  assert.ok(
    set.hasMany(members).every((answer) => answer === 1) && set.hasMany(others).every((answer) => answer === 0),
  );
  return set;
}

await test("exact sets: the same bytes, and no wrong answer", async () => {
  for (const [type, n, m, bytes] of of("exact")) await checkExact(type, n, m, bytes);
});

await test("exact sets with a rate: the same of other keys pass, too", async () => {
  assert.ok(of("rated").length > 5);
  for (const [type, fpr, n, m, bytes, positives] of of("rated")) {
    const set = await checkExact(type, n, m, bytes, { fpr: +fpr });
    assert.strictEqual(positivesOf(set, type, +n), positives ?? "");
  }
});

end();
