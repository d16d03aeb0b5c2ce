// test_chain.mjs - a chain of exact sets is right about every key, whatever has changed, also on a server

import assert from "node:assert";
import { inspect } from "node:util";
import { Chain, Filter, Key, RibbonMap } from "../lib/index.js";
import { RangeServer, bytesResource } from "../tools/range_server.mjs";
import { end, randomNumbers, test, throwsCode, unhex } from "./testing.mjs";

const KEYS = 20000;
const TIMES = [1, 2, 3, 4].map((month) => `2026-0${month}-01T00:00:00Z`);
const resources = new Map();
const server = new RangeServer(async (path) => resources.get(path));
const address = await server.listen();

function openRemote(part, i) {
  resources.set(`/${i}`, bytesResource(part.toBytes()));
  return Filter.openRemote(`${address}${i}`);
}

const bytesOf = (list) => Uint8Array.from(list, Number);

// A base, and three deltas: keys change, new ones come, some are no longer members.
async function checkUniverse(seed, perMember, fpr, make) {
  const random = randomNumbers(seed);
  const keys = Array.from({ length: KEYS }, (_, i) => make(3 * i));
  const isMember = keys.map(() => random(100) < perMember);
  const sides = () => [true, false].map((side) => keys.filter((_, i) => isMember[i] === side));
  const parts = [await Filter.buildExact(...sides(), { asOf: TIMES[0], fpr })];
  for (const asOf of TIMES.slice(1)) {
    for (let i = 0; i < 100; i++) {
      const changed = random(keys.length);
      isMember[changed] = !isMember[changed];
    }
    for (let left = 50, i = random(KEYS); left > 0; i = (i + 1) % keys.length)
      if (isMember[i]) left -= +!(isMember[i] = false);
    for (let i = 0; i < 500; i++) {
      keys.push(make(3 * keys.length));
      isMember.push(random(2) === 1);
    }
    const before = new Chain(parts).hasMany(keys);
    const delta = await new Chain(parts).delta(...sides(), { asOf, fpr });
    assert.strictEqual(delta.size, before.filter((answer, i) => answer !== +isMember[i]).length);
    parts.push(delta);
    assert.deepStrictEqual(new Chain(parts).hasMany(keys), bytesOf(isMember));
  }
  return { parts, keys, isMember };
}

for (const [name, make] of [
  ["numbers", (i) => i],
  ["texts", (i) => `key ${i}`],
])
  for (const [i, [perMember, fpr]] of [
    [2, undefined],
    [50, undefined],
    [97, undefined],
    [10, 0.01],
  ].entries())
    await test(`${name}, ${perMember} % members, fpr ${fpr}: no wrong answer, here and on a server`, async () => {
      const { parts, keys, isMember } = await checkUniverse(i, perMember, fpr, make);
      const chain = new Chain(parts);
      assert.strictEqual(chain.has(keys[7]), isMember[7]);
      assert.strictEqual(
        chain.fpr,
        Math.min(
          1,
          parts.reduce((sum, part) => sum + part.fpr, 0),
        ),
      );
      assert.deepStrictEqual([chain.asOf, chain.parts], ["2026-04-01 00:00:00+00", parts]);
      const some = [...keys.slice(0, 500), ...keys.slice(-500)];
      const answers = bytesOf([...isMember.slice(0, 500), ...isMember.slice(-500)]);
      const remotes = await Promise.all(parts.map(openRemote));
      for (const mixed of [remotes, [...parts.slice(0, 2), ...remotes.slice(2)]]) {
        const there = new Chain(mixed);
        assert.deepStrictEqual(await there.hasMany(some), answers);
        assert.deepStrictEqual(
          await Promise.all(some.slice(0, 20).map((key) => there.has(key))),
          isMember.slice(0, 20),
        );
        const newer = there.member(keys[7], "2026-04-01 00:00:00.000001Z");
        assert.ok(newer instanceof Promise);
        assert.deepStrictEqual([await newer, await there.member(keys[7], TIMES[3])], [null, isMember[7]]);
        assert.deepStrictEqual([there.fpr, there.asOf, there.keyClass], [chain.fpr, chain.asOf, chain.keyClass]);
      }
      const delta = await new Chain(remotes).delta([some[0]], some.slice(1, 50));
      assert.deepStrictEqual(
        await new Chain([...remotes, delta]).hasMany(some.slice(0, 50)),
        bytesOf(some.slice(0, 50).map((_, k) => k === 0)),
      );
      if (fpr === undefined) return;
      const others = chain.hasMany(Array.from({ length: 50000 }, (_, k) => make(3 * k + 1)));
      const rate = others.filter((answer) => answer).length / others.length;
      assert.ok(rate > 0.9 * chain.fpr && rate < 1.05 * chain.fpr, `${rate}, not ${chain.fpr}`);
    });

const set = await Filter.buildExact([1, 3], [2], { asOf: TIMES[3] });
const nothing = await Filter.buildExact([], [], { key: "integer" });
const untyped = await Filter.fromBytes(unhex("118010000000")); // as the server builds it of no rows

await test("member: null for newer keys", async () => {
  const chain = new Chain(new Set([set]));
  assert.deepStrictEqual(
    [1, 2].map((key) => chain.member(key, new Date(TIMES[3]))),
    [true, false],
  );
  assert.strictEqual(chain.member(1, new Date(Date.parse(TIMES[3]) + 1)), null);
  assert.strictEqual(chain.member(1, "infinity"), null);
  assert.strictEqual(new Chain([set, nothing]).member(1, TIMES[0]), null);
  for (const asOf of ["infinity", "-infinity", "0044-03-15 12:00:00+00 BC"]) {
    const other = new Chain([await Filter.buildExact([1], [2], { asOf })]);
    assert.strictEqual(other.member(1, asOf), true);
    assert.strictEqual(other.member(1, "2026-01-01T00:00:00Z"), asOf === "infinity" ? true : null);
  }
  const timeless = new Chain([set, await Filter.buildExact([1], [2])]);
  assert.strictEqual(timeless.asOf, null);
  assert.match((await throwsCode("OPTION", () => timeless.member(1, TIMES[0]))).hint, /asOf/);
  await throwsCode("KEY", () => chain.member(1, "yesterday"));
});

await test("member of one set: the same as of a chain of it", async () => {
  const remote = await openRemote(set, "one");
  const timeless = await Filter.buildExact([1], [2]);
  for (const [part, ...keys] of [
    [set, 1, 2, 3],
    [remote, 1, 2, 3],
    [nothing, 1],
    [await openRemote(nothing, "nothing"), 1],
    [untyped, 1, "a"],
    [await openRemote(untyped, "untyped"), 1, "a"],
  ])
    for (const key of keys)
      for (const time of [TIMES[0], new Date(TIMES[3]), "2026-04-01 00:00:00.000001Z", "infinity"])
        assert.strictEqual(await part.member(key, time), await new Chain([part]).member(key, time));
  assert.deepStrictEqual([set.member(1, TIMES[3]), set.member(2, TIMES[3])], [true, false]);
  assert.strictEqual(set.member(1, "infinity"), null);
  for (const part of [set, remote]) {
    await throwsCode("KEY", () => part.member(1, "yesterday"));
    for (const time of [TIMES[3], "infinity"]) await throwsCode("KEY_TYPE", () => part.member("a", time));
  }
  assert.match((await throwsCode("OPTION", () => timeless.member(1, TIMES[0]))).hint, /asOf/);
  for (const options of [{}, { kind: "homogeneous" }]) {
    const filter = await Filter.build([1, 2], options);
    await throwsCode("EXACT", () => filter.member(1, TIMES[0]));
    await throwsCode("EXACT", async () => (await openRemote(filter, "filter")).member(1, TIMES[0]));
  }
});

await test("member: no server is asked for a newer key, and a key of another class is an error all the same", async () => {
  const keys = (first) => Array.from({ length: KEYS }, (_, i) => first + 2 * i);
  const large = await Filter.buildExact(keys(0), keys(1), { asOf: TIMES[3] }); // more than comes when it is opened
  const parts = await Promise.all(["first", "last"].map((path) => openRemote(large, path)));
  const traffic = () => parts.map((part) => part.traffic.requests);
  const before = traffic();
  const some = keys(1).slice(0, 20);
  const answers = (time) => Promise.all(some.map((key) => new Chain(parts).member(key, time)));
  assert.deepStrictEqual(new Set(await answers("infinity")), new Set([null]));
  for (const chain of [new Chain([set]), new Chain(parts)])
    await throwsCode("KEY_TYPE", () => chain.member("a", "infinity"));
  assert.strictEqual(await parts[0].member(1, "infinity"), null);
  assert.deepStrictEqual(traffic(), before);
  assert.deepStrictEqual(new Set(await answers(TIMES[0])), new Set([false]));
  assert.notDeepStrictEqual(traffic(), before);
});

await test("keys of any iterable; nulls, classes and sets of nothing in a delta", async () => {
  const chain = new Chain([set, nothing]);
  for (const keys of [[1, 2, 3], new Set([1, 2, 3]), [1, 2, 3].values(), new BigInt64Array([1n, 2n, 3n])])
    assert.deepStrictEqual(chain.hasMany(keys), bytesOf([1, 0, 1]));
  const delta = await chain.delta(new Set([2, null]), [1, null, 3].values());
  assert.deepStrictEqual([delta.size, delta.stats.universe], [3, 3]);
  assert.deepStrictEqual(new Chain([set, nothing, delta]).hasMany([1, 2, 3]), bytesOf([0, 1, 0]));
  assert.strictEqual((await chain.delta([], [])).keyClass, "integer");
  assert.deepStrictEqual([new Chain([untyped]).keyClass, new Chain([untyped, set]).keyClass], ["hash", "integer"]);
  assert.deepStrictEqual(await new Chain([set, await openRemote(untyped, "untyped")]).hasMany([1, 2]), bytesOf([1, 0]));
  assert.strictEqual(new Chain([set, untyped]).member(1, TIMES[0]), null);
  assert.strictEqual((await new Chain([untyped]).delta(["a"], [])).keyClass, "text");
  const moods = await Filter.buildExact(["sad"], ["happy"], { key: "enum" });
  const unlisted = new Key("new", "enum"); // the set may be wrong about it, or right by chance
  const next = await new Chain([moods]).delta(["happy", unlisted], ["sad"]);
  assert.deepStrictEqual([next.keyClass, next.size], ["enum", moods.has(unlisted) ? 2 : 3]);
  assert.match((await throwsCode("CONFLICT", () => chain.delta([null, 3], [7, 3]))).message, /3, member 1 and other 1$/);
});

await test("printed: a line, also when a part has been closed", async () => {
  const line = "Chain of 2 exact sets of class integer, fpr 0.5";
  const copy = await Filter.fromBytes(set.toBytes());
  const chain = new Chain([copy, nothing]);
  const printed = () => [inspect(chain), String(chain), JSON.stringify({ chain })];
  assert.deepStrictEqual(printed(), [line, line, `{"chain":"${line}"}`]);
  copy.close();
  assert.deepStrictEqual(printed(), [line, line, `{"chain":"${line}"}`]);
});

await test("a clone has its parts, which open takes; comparisons look at them", async () => {
  const chain = new Chain([set, nothing]);
  const parts = await Promise.all(structuredClone(chain).parts.map((part) => Filter.open(part)));
  assert.deepStrictEqual(new Chain(parts), chain);
  assert.notDeepStrictEqual(new Chain([set]), chain);
});

await test("what is no chain is an error", async () => {
  for (const parts of [[], new Set(), undefined, 5, set, [undefined], ["a"], [set.toBytes()]])
    await throwsCode("OPTION", () => new Chain(parts));
  await throwsCode("OPTION", async () => new Chain([set, await RibbonMap.build([[1, 2]])]));
  const filter = await Filter.build([1]);
  assert.match((await throwsCode("EXACT", () => new Chain([set, filter]))).message, /part 1 .* kind burr/);
  await throwsCode("EXACT", async () => new Chain([await openRemote(filter, "filter"), set]));
  const texts = await Filter.buildExact(["a"], []);
  assert.match((await throwsCode("KEY_TYPE", () => new Chain([set, texts]))).message, /part 1 .* text, others integer/);
  const chain = new Chain([set]);
  await throwsCode("KEY_TYPE", () => chain.has("a"));
  await throwsCode("KEY_TYPE", () => chain.delta(["a"], []));
  await throwsCode("OPTION", () => chain.delta([1]));
  await throwsCode("OPTION", () => chain.delta([1], [2], { rate: 0.1 }));
  await throwsCode("OPTION", () => chain.hasMany(5));
  const there = new Chain([await openRemote(set, "set"), set]);
  const answers = [there.has("a"), there.hasMany(["a"]), there.hasMany(5), there.member(1, "yesterday")];
  await Promise.all(answers.map((answer) => assert.rejects(answer, { name: "RibbonError" })));
});

await server.close();
end();
