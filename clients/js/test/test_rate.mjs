// test_rate.mjs - exact sets with a rate: right about each listed key, others pass at the rate, also on a server

import assert from "node:assert";
import { Filter } from "../lib/index.js";
import { RangeServer, bytesResource } from "../tools/range_server.mjs";
import { end, test } from "./testing.mjs";

const ASKED = 100000;
const ASKED_REMOTE = 20000;
let served;
const server = new RangeServer(async () => served);
const address = await server.listen();

// Yes to so many of n unknown keys is within 4 standard errors of the rate.
function checkRate(answers, fpr) {
  const passed = answers.reduce((sum, answer) => sum + answer, 0);
  const expected = answers.length * fpr;
  assert.ok(Math.abs(passed - expected) <= 4 * Math.sqrt(expected * (1 - fpr)), `${passed}, not ${expected}`);
}

for (const [name, make] of [
  ["numbers", (i) => i],
  ["texts", (i) => `key ${i}`],
])
  for (const [members, others, fpr] of [
    [2000, 0, 0.01],
    [2000, 2000, 0.01],
    [2000, 32000, 1 / 256],
    [300, 30000, 0.3],
  ])
    await test(`${name}, ${members} members and ${others} others at ${fpr}, here and on a server`, async () => {
      const listed = Array.from({ length: members + others }, (_, i) => make(i));
      const expected = Uint8Array.from(listed, (_, i) => +(i < members));
      const set = await Filter.buildExact(listed.slice(0, members), listed.slice(members), { fpr });
      assert.ok(set.fpr <= 1.005 * fpr, `${set.fpr}`);
      assert.deepStrictEqual(set.hasMany(listed), expected);
      const unknown = Array.from({ length: ASKED }, (_, i) => make(1000000 + i));
      const answers = set.hasMany(unknown);
      checkRate(answers, set.fpr);
      served = bytesResource(set.toBytes());
      const remote = await Filter.openRemote(`${address}${name}-${members}-${others}`);
      assert.strictEqual(remote.fpr, set.fpr);
      assert.deepStrictEqual(await remote.hasMany(listed), expected);
      const there = await remote.hasMany(unknown.slice(0, ASKED_REMOTE));
      assert.deepStrictEqual(there, answers.slice(0, ASKED_REMOTE));
    });

await server.close();
end();
