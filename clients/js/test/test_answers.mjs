// test_answers.mjs - test/golden/answers_1.txt: the answers that are the same in every language (test/golden/README.md)

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Filter, RibbonMap } from "../lib/index.js";
import { end, test, unhex } from "./testing.mjs";

const lines = readFileSync(new URL("../../../test/golden/answers_1.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const sets = new Map(lines.filter(([first]) => first === "set").map(([, name, ...set]) => [name, set]));
const asked = lines.filter(([first]) => first === "ask").map(([, ...fields]) => fields);

// A key as PostgreSQL writes it, as a value of JavaScript.
function keyOf(type, text) {
  switch (type) {
    case "integer":
      return BigInt(text);
    case "float":
      return Number(text);
    case "bytea":
      return unhex(text.slice(2));
    default:
      return text;
  }
}

function answer(set, what, key) {
  try {
    if (what === "contains") return String(set.has(key));
    const value = set.get(key);
    return value === undefined ? "no" : value === null ? "null" : `=${value}`;
  } catch (error) {
    if (error.name !== "RibbonError") throw error;
    return `!${error.code}`;
  }
}

for (const what of ["contains", "get"])
  await test(`answers in JavaScript: ${what}`, async () => {
    let n = 0;
    for (const [name, how, type, text, , , expected] of asked) {
      const [kind, bytes] = sets.get(name);
      // a value of JavaScript is taken for what the keys of the set are, if it can be
      const taken = ["numeric", "float", "date", "timestamptz"].includes(type) || ["floats", "numerics"].includes(name);
      if (how !== what || (expected === "!KEY_TYPE" && taken)) continue;
      const set = await (kind === "map" ? RibbonMap : Filter).open(unhex(bytes));
      assert.strictEqual(answer(set, what, keyOf(type, text)), expected, `${name}: ${type} ${text}`);
      n++;
    }
    assert.ok(n > 30);
  });

end();
