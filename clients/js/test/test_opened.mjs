// test_opened.mjs - filters and maps are opened, kept, shown, cloned and freed

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Filter, Key, RibbonMap } from "../lib/index.js";
import { instantiate } from "../lib/modules.js";
import { end, hex, numbers, randomNumbers, test, throwsCode } from "./testing.mjs";

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

await test("a pipe and a large file are read to their end, and not where there is no need", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ribbon-"));
  try {
    const path = join(folder, "f.ribbon");
    await writeFile(path, (await Filter.build(Array.from({ length: 200000 }, (_, i) => i))).toBytes());
    assert.strictEqual(openPiped(`cat ${path}`), "200000");
    assert.strictEqual(openPiped(`head -c 100000 ${path}`), "TRUNCATED");
    assert.strictEqual(openPiped(`cat ${path} /dev/zero`), "CORRUPT");
    await truncate(path, 2 ** 31 + 1); // more than Node.js reads at once
    await throwsCode("CORRUPT", () => Filter.open(path));
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

await test("blocks of memory do not overlap, are given out again, and are found at once among many", async () => {
  const { alloc, free, memory } = await instantiate("build", "build");
  const random = randomNumbers(5);
  const bytesOf = ({ at, size }) => new Uint8Array(memory.buffer, at, size);
  let blocks = [];
  const giveBack = (block) => {
    assert.ok(bytesOf(block).every((byte) => byte === block.byte));
    free(block.at);
  };
  for (let i = 0; i < 20000; i++) {
    if (random(1000) < (Math.floor(i / 2000) % 2 ? 600 : 450) && blocks.length > 0)
      giveBack(blocks.splice(random(blocks.length), 1)[0]);
    else {
      const size = random(20) ? random(300) : random(100000);
      const block = { at: alloc(size), size, byte: random(256) };
      assert.ok(block.at > 0 && block.at % 16 === 0 && block.at + size <= memory.buffer.byteLength);
      bytesOf(block).fill(block.byte);
      blocks.push(block);
    }
  }
  blocks.forEach(giveBack);
  const { byteLength } = memory.buffer; // with stack and static data
  assert.ok(alloc(byteLength - 2 ** 21) > 0 && memory.buffer.byteLength === byteLength);
  for (const size of [0xffff0000, 0xffffffff]) assert.strictEqual(alloc(size), 0);
  const { user } = process.cpuUsage();
  for (let i = 0; i < 200000; i++) alloc(50 + random(50)); // one in front of the other, it would take minutes
  assert.ok(process.cpuUsage().user - user < 2e7);
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

await test("a class that extends one makes its own, and a method that is of no class makes a filter", async () => {
  class Words extends Filter {}
  class Plans extends RibbonMap {}
  const words = await Words.build(["a", "b"], { fpr: 0.001 });
  const made = [words, await words.shrink(0.1), await Words.open(words.toBytes()), await Words.buildExact(["a"], ["b"])];
  assert.ok(made.every((one) => one instanceof Words && one.has("a")));
  const plans = await Plans.build([["a", 1]]);
  assert.ok(plans instanceof Plans && (await Plans.fromBytes(plans.toBytes())) instanceof Plans);
  const { build, buildExact } = Filter;
  const copies = await Promise.all([words.bytes].map(Filter.fromBytes));
  const loose = [await build(["a"]), await buildExact(["a"], []), ...copies];
  assert.ok(loose.every((one) => one.constructor === Filter && one.has("a")));
  assert.strictEqual((await { build: RibbonMap.build }.build([["a", 1]])).get("a"), 1);
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

end();
