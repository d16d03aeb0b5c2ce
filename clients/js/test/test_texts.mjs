// test_texts.mjs - test/golden/texts_1.txt: which texts are keys, and of which bytes (test/golden/README.md)

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { classNumber } from "../lib/classes.js";
import { canonicalForm } from "../lib/keys.js";
import { end, hex, test, throwsCode } from "./testing.mjs";

const lines = readFileSync(new URL("../../../test/golden/texts_1.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const types = new Set(lines.filter(([, , readers]) => readers.includes("js")).map(([type]) => type));

function bytesOf(type, text) {
  const form = canonicalForm(text, classNumber(type));
  return hex(typeof form === "bigint" ? new Uint8Array(BigUint64Array.of(form).buffer) : form);
}

for (const type of types)
  await test(`texts of type ${type}`, async () => {
    for (const [, text, readers, bytes] of lines.filter(([name]) => name === type))
      if (readers.includes("js")) assert.strictEqual(bytesOf(type, text), bytes, text);
      else await throwsCode("KEY", () => bytesOf(type, text));
  });

await test("that is all types but those whose keys are no texts here", () => {
  const others = new Set(lines.map(([type]) => type).filter((type) => !types.has(type)));
  assert.deepStrictEqual([...others], ["bytea", "interval", "integer", "bool", "oid", "xid8", "float"]);
});

end();
