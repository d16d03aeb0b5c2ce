// test_realms.mjs - values of another realm: of a frame, a vm context, a test environment

import assert from "node:assert";
import vm from "node:vm";
import { Chain, Filter, Key, RibbonMap, expectedBytes, setModules } from "../lib/index.js";
import { readFileSync } from "node:fs";
import { end, hex, test, throwsCode } from "./testing.mjs";

const other = vm.createContext({});
const foreign = (expression) => vm.runInContext(expression, other);

await test("a module of another realm", async () => {
  other.bytes = readFileSync(new URL("../dist/ribbon.wasm", import.meta.url));
  setModules({ probe: foreign("new WebAssembly.Module(new Uint8Array(bytes).buffer)") });
  assert.ok((await Filter.build(["a"])).has("a"));
});

await test("bytes: Uint8Array, ArrayBuffer, DataView, SharedArrayBuffer", async () => {
  const filter = await Filter.build([Uint8Array.of(1, 2), Uint8Array.of(7, 8)]);
  for (const form of [
    "Uint8Array.of(1, 2)",
    "Uint8Array.of(1, 2).buffer",
    "new DataView(Uint8Array.of(0, 1, 2).buffer, 1)",
    "Uint16Array.of(0x201)",
    "new SharedArrayBuffer(2)",
  ]) {
    const key = foreign(form);
    assert.ok(!(key instanceof Object));
    assert.strictEqual(filter.has(key), !form.includes("Shared"), form);
    assert.strictEqual(filter.hasMany([key])[0], +!form.includes("Shared"), form);
  }
  const built = await Filter.build(foreign("[Uint8Array.of(1, 2), Uint8Array.of(7, 8).buffer]"));
  assert.strictEqual(hex(built.toBytes()), hex(filter.toBytes()));
  other.bytes = filter.toBytes();
  for (const form of ["new Uint8Array(bytes)", "new Uint8Array(bytes).buffer", "({ bytes: new Uint8Array(bytes) })"])
    assert.ok((await Filter.open(foreign(form))).has(Uint8Array.of(7, 8)), form);
});

await test("a length that a type of its own says is not that of the bytes", async () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => i);
  const filter = await Filter.build([bytes, new Uint8Array(0)]);
  const uuids = await Filter.build([bytes], { key: "uuid" });
  for (const said of [0, 3, 17, 1e9]) {
    class Odd extends Uint8Array {
      get length() {
        return said;
      }
      get byteLength() {
        return said;
      }
    }
    const own = Object.defineProperty(bytes.slice(), "length", { value: said });
    for (const key of [new Odd(bytes.buffer), own]) {
      assert.ok(filter.has(key) && filter.hasMany([key])[0] === 1 && uuids.has(key), `${said}`);
      assert.strictEqual(hex((await Filter.build([key])).toBytes()), hex((await Filter.build([bytes])).toBytes()));
      assert.strictEqual(await new Key(key, "bytea").hash(), await new Key(bytes, "bytea").hash());
    }
    assert.ok(filter.has(new Odd(0)) && (await Filter.open(new Odd(filter.toBytes()))).has(bytes));
  }
});

await test("nor is it that of keys", async () => {
  const keys = [1n, 2n, 3n];
  const filter = await Filter.build(keys);
  const hashes = await Filter.build(BigUint64Array.from(keys), { key: "hash" });
  for (const said of [0, 2, 5, 1e9]) {
    const odd = (Type) =>
      class extends Type {
        get length() {
          return said;
        }
        subarray() {
          return new Type(1);
        }
      };
    const [words, unsigned, small] = [BigInt64Array, BigUint64Array, Int32Array].map(odd);
    for (const list of [words.from(keys), small.of(1, 2, 3)]) {
      assert.deepStrictEqual([...filter.hasMany(list)], [1, 1, 1]);
      assert.strictEqual(hex((await Filter.build(list)).toBytes()), hex(filter.toBytes()));
    }
    const again = await Filter.build(unsigned.from(keys), { key: "hash" });
    assert.strictEqual(hex(again.toBytes()), hex(hashes.toBytes()));
  }
});

await test("lists of keys may be changed, or transferred, as soon as a build has been called", async () => {
  const words = BigInt64Array.of(1n, 2n);
  const shared = new Float64Array(new SharedArrayBuffer(16)).fill(2).fill(1, 0, 1);
  const list = [1, 2];
  const set = new Set(list);
  const building = [words, shared, list, set].map((keys) => Filter.build(keys));
  structuredClone(words, { transfer: [words.buffer] });
  shared.fill(7);
  list.length = 0;
  set.clear();
  for (const built of building) assert.deepStrictEqual(await built, await Filter.build([1, 2]));
});

await test("bytes that are transferred while a filter is opened have changed their size", async () => {
  const bytes = (await Filter.build([1])).toBytes();
  const opening = Filter.fromBytes(bytes);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.match((await throwsCode("OPTION", () => opening)).message, /changed their size/);
});

await test("memory that has been transferred, or has become too small", async () => {
  const filter = await Filter.build([new Uint8Array(0)]);
  const views = (buffer) => [buffer, new Uint8Array(buffer), new Uint16Array(buffer), new DataView(buffer)];
  for (const i of [0, 1, 2, 3]) {
    const view = views(new ArrayBuffer(8))[i];
    structuredClone(view.buffer ?? view, { transfer: [view.buffer ?? view] });
    assert.match((await throwsCode("KEY_TYPE", () => filter.has(view))).message, /has been transferred/);
    await throwsCode("KEY_TYPE", () => filter.hasMany([view]));
    await throwsCode("KEY_TYPE", () => Filter.build([Uint8Array.of(1), view], { key: "bytea" }));
    assert.match((await throwsCode("OPTION", () => Filter.open(view))).message, /has been transferred/);
    await throwsCode("OPTION", () => Filter.fromBytes(view));
  }
  const words = BigInt64Array.of(1n);
  structuredClone(words, { transfer: [words.buffer] });
  await throwsCode("KEY_TYPE", () => Filter.build(words));
  await throwsCode("KEY_TYPE", async () => (await Filter.build([1])).hasMany(words));
  if (ArrayBuffer.prototype.resize === undefined) return; // Node.js 18
  const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
  const outside = [new Uint8Array(buffer, 4, 4), new Uint16Array(buffer, 4, 2), new DataView(buffer, 4, 4)];
  buffer.resize(2);
  for (const view of outside) await throwsCode("KEY_TYPE", () => filter.has(view));
  assert.ok(filter.has(new Uint8Array(buffer, 2)) && filter.has(new Uint8Array(0)));
});

await test("memory that grows while keys are read, and a filter that is closed", async () => {
  const bytes = new Uint8Array(4);
  const filter = await Filter.build([bytes]);
  const others = [];
  for (let i = 0; i < 20; i++) others.push(await Filter.build([i]));
  for (const ask of [(keys) => filter.hasMany(keys), (keys) => Filter.build(keys)]) {
    const buffer = new ArrayBuffer(4, { maxByteLength: 1 << 20 });
    if (typeof buffer.resize !== "function") return; // Node.js 18
    class Grower extends Uint8Array {
      get length() {
        buffer.resize(1 << 17);
        return super.length;
      }
    }
    await throwsCode("KEY", () => ask([new Uint8Array(buffer), new Grower(4)]));
  }
  // as another thread lets a SharedArrayBuffer grow: at any time, such as when its length has been asked so many times
  class Growing extends Uint8Array {
    left = 0;
    get length() {
      const { length } = new Uint8Array(this.buffer);
      if (this.left-- === 0) this.buffer.resize(1 << 20);
      return length;
    }
  }
  for (let left = 0; left < 12; left++)
    for (const size of [4, 1000]) {
      const key = new Growing(new ArrayBuffer(size, { maxByteLength: 1 << 20 }));
      const asked = [() => filter.has(key), () => filter.hasMany([key])];
      for (const ask of [...asked, () => Filter.build([key]), () => Filter.open(key)]) {
        key.buffer.resize(size);
        key.left = left;
        try {
          await ask();
        } catch (error) {
          assert.strictEqual(error.name, "RibbonError", error.stack);
        }
      }
    }
  assert.ok(others.every((other, i) => other.has(i)));
  const spans = await Filter.build([{ days: 1 }], { key: "interval" });
  const closing = {
    get days() {
      spans.close();
      return 1;
    },
  };
  await throwsCode("CLOSED", () => spans.has(closing));
});

await test("iterables that give the same memory again", async () => {
  const five = [0, 1, 2, 3, 4].map((byte) => Uint8Array.of(byte));
  function* again(bytes) {
    for (const [byte] of five) {
      bytes[0] = byte;
      yield bytes;
    }
  }
  const filter = await Filter.build(five);
  for (const bytes of [new Uint8Array(1), Buffer.from("a")]) {
    assert.strictEqual(hex((await Filter.build(again(bytes))).toBytes()), hex(filter.toBytes()));
    assert.deepStrictEqual([...filter.hasMany(again(bytes))], [1, 1, 1, 1, 1]);
    const entries = function* () {
      const entry = [bytes];
      for (const [byte] of again(bytes)) {
        entry[1] = byte;
        yield entry;
      }
    };
    const map = await RibbonMap.build(entries());
    assert.deepStrictEqual(map.getMany(five), [0, 1, 2, 3, 4]);
    assert.strictEqual((await Filter.buildExact(again(bytes), ["b"].map((text) => Buffer.from(text)))).size, 5);
  }
});

await test("iterables that give the same object again", async () => {
  const bytes = new Uint8Array(8);
  const day = new Date("2026-01-01T00:00:00Z");
  const span = { days: 0 };
  const changes = [
    [day, "timestamptz", () => day.setUTCDate(day.getUTCDate() + 1)],
    [span, "interval", () => span.days++],
    [new DataView(bytes.buffer, 2, 4), "bytea", () => bytes[3]++],
    [new Uint16Array(bytes.buffer, 2, 2), "bytea", () => bytes[3]++],
  ];
  for (const [key, name, change] of changes) {
    const again = function* () {
      for (let i = 0; i < 5; i++, change()) yield key;
    };
    assert.strictEqual((await Filter.build(again(), { key: name })).size, 5);
    const filter = await Filter.build([key], { key: name, fpr: 2 ** -32 });
    assert.deepStrictEqual([...filter.hasMany(again())], [1, 0, 0, 0, 0]);
  }
  const days = function* () {
    for (let i = 0; i < 5; i++, day.setUTCDate(day.getUTCDate() + 1)) yield [i, day];
  };
  assert.strictEqual(new Set((await RibbonMap.build(days())).getMany([0, 1, 2, 3, 4])).size, 5);
  const gone = new DataView(new ArrayBuffer(1));
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  await throwsCode("KEY_TYPE", () => Filter.build([gone].values(), { key: "bytea" }));
});

// Errors that are caught would take ten times as long.
await test("a buffer is told to be one at the cost of a few of its keys", async () => {
  const buffers = Array.from({ length: 30000 }, (_, i) => Uint32Array.of(i).buffer);
  const cost = async (build) => {
    const times = [];
    for (let i = 0; i < 3; i++) {
      const start = process.cpuUsage();
      await build();
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    }
    return Math.min(...times);
  };
  const told = await cost(() => Filter.build(buffers, { key: "bytea" }));
  const natural = await cost(() => Filter.build(buffers));
  assert.ok(natural < 5 * told, `${natural} against ${told} us`);
});

await test("what only looks like bytes", async () => {
  const filter = await Filter.build([Uint8Array.of(1)]);
  for (const fake of [new Proxy(Uint8Array.of(1), {}), Object.create(Uint8Array.prototype)])
    await throwsCode("KEY_TYPE", () => filter.has(fake));
});

await test("Vue is told to leave them as they are", async () => {
  const set = await Filter.buildExact([1], [2]);
  for (const value of [set, await RibbonMap.build([[1, 2]]), new Chain([set])])
    assert.deepStrictEqual([value.__v_skip, Object.keys(value).includes("__v_skip")], [true, false]);
});

await test("arrays of words", async () => {
  const words = await Filter.build(foreign("BigInt64Array.of(5n, 6n)"));
  assert.deepStrictEqual(words, await Filter.build([5n, 6n]));
  assert.deepStrictEqual([...words.hasMany(foreign("BigInt64Array.of(5n, 6n)"))], [1, 1]);
  await Filter.build(foreign("new BigInt64Array()"));
  await Filter.build(foreign("BigUint64Array.of(5n)"), { key: "hash" });
});

await test("Dates, Maps, Sets, intervals", async () => {
  const dates = await Filter.build(foreign("[new Date(0), new Date(1)]"));
  assert.strictEqual(dates.keyClass, "timestamptz");
  assert.ok(dates.has(new Date(1)) && dates.has(foreign("new Date(0)")));
  const set = await Filter.buildExact(foreign("new Set(['a'])"), ["b"], { asOf: foreign("new Date(0)") });
  assert.strictEqual(set.stats.asOf, "1970-01-01 00:00:00+00");
  const map = await RibbonMap.build(foreign("new Map([['a', new Date(0)]])"));
  assert.strictEqual(map.get("a"), "1970-01-01 00:00:00+00");
  assert.ok((await Filter.build([{ days: 1 }], { key: "interval" })).has(foreign("({ days: 1 })")));
});

await test("URLs, Blobs and Responses by what they can do", async () => {
  const bytes = (await Filter.build(["a"])).toBytes();
  const like = [
    { arrayBuffer: async () => bytes.buffer },
    { href: `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`, protocol: "data:" },
  ];
  for (const source of like) assert.ok((await Filter.open(source)).has("a"));
});

await test("what is no key is refused by its name", async () => {
  const dates = await Filter.build(["2026-01-31"], { key: "date" });
  const intervals = await Filter.build([{ days: 1 }], { key: "interval" });
  class Duration {
    get days() {
      return 1;
    }
  }
  const anything = new Proxy({}, { get: () => anything, getPrototypeOf: () => Duration.prototype }); // as of mocks
  for (const [filter, key, name] of [
    [dates, new Date(0), /a Date is no key of class date/],
    [dates, foreign("new Date(0)"), /a Date is no key of class date/],
    [intervals, new Date(0), /a Date is no key of class interval/],
    [intervals, foreign("new Date(0)"), /a Date is no key/],
    [intervals, new Map([["days", 1]]), /a Map is no key/],
    [intervals, [], /an array is no key/],
    [intervals, new Duration(), /a Duration is no key/],
    [intervals, Uint8Array.of(1), /an? Uint8Array is no key/],
    [await Filter.build(["a"]), new String("a"), /a String is no key/],
    [await Filter.build(["a"]), Object.create(null), /an object is no key/],
    [await Filter.build(["a"]), anything, /an object is no key/],
  ])
    assert.match((await throwsCode("KEY_TYPE", () => filter.has(key))).message, name);
  await throwsCode("KEY", () => Filter.build([foreign("new Date(NaN)")]));
});

await test("arguments of any type are answered by RibbonErrors", async () => {
  const filter = await Filter.build(["a"]);
  const odd = [
    undefined,
    null,
    5,
    5n,
    "x",
    Symbol("s"),
    true,
    {},
    [],
    () => 1,
    Object.create(null),
    NaN,
    new Date(NaN),
  ];
  const calls = [
    (x) => Filter.build(x),
    (x) => Filter.build(["a"], { fpr: x }),
    (x) => Filter.build(["a"], { kind: x }),
    (x) => Filter.build(["a"], { width: x }),
    (x) => Filter.build(["a"], { key: x }),
    (x) => Filter.build(["a"], x),
    (x) => expectedBytes(x),
    (x) => expectedBytes(5, x),
    (x) => Filter.build([x]),
    (x) => Filter.buildExact(x, x),
    (x) => Filter.buildExact(["a"], ["b"], x),
    (x) => Filter.buildExact(["a"], ["b"], { asOf: x, width: x }),
    (x) => RibbonMap.build(x),
    (x) => RibbonMap.build([x]),
    (x) => RibbonMap.build([["a", x]]),
    (x) => RibbonMap.build([["a", 1]], { value: x }),
    (x) => RibbonMap.build([["a", 1]], { code: x }),
    (x) => RibbonMap.build([["a", 1]], { seed: x }),
    (x) => Filter.open(x),
    (x) => Filter.fromBytes(x),
    (x) => Filter.openRemote(x),
    (x) => Filter.openRemote("https://127.0.0.1:1/", { page: x, timeout: 1000 }),
    (x) => Filter.openRemote("https://127.0.0.1:1/", { headers: x, signal: null, timeout: x }),
    (x) => filter.has(x),
    (x) => filter.hasMany(x),
    (x) => filter.hasMany([x]),
    (x) => filter.shrink(x),
    (x) => new Key(x, "text"),
    (x) => new Key("x", x),
    (x) => Key.canonical(x, "array"),
    (x) => new Key("x", "text").shard(x),
    (x) => setModules({ [String(typeof x)]: x }),
    (x) => new Filter(x),
  ];
  for (const call of calls)
    for (const value of odd)
      try {
        await call(value);
      } catch (error) {
        assert.strictEqual(error.name, "RibbonError", `${call} of ${typeof value}: ${error.stack}`);
      }
});

await test("a Key has the hash and the shard that the server gives it", async () => {
  const hashes = [
    [new Key(42, "oid"), 2392174772787195229n],
    [new Key("abc", "text"), 8696274497037089104n],
    [new Key("é", "text"), -606849052844159821n],
    [new Key(true, "bool"), -2220562881957146901n],
    [new Key(1.5, "float"), 2693614958850487384n],
    [new Key(2n ** 64n - 1n, "hash"), -1n],
  ];
  for (const [key, hash] of hashes) assert.strictEqual(await key.hash(), hash);
  assert.deepStrictEqual(
    await Promise.all([64, 1, 2147483647].map((n) => new Key(42, "integer").shard(n))),
    [11, 0, 369976903],
  );
  for (const n of [0, -1, 1.5, 2147483648, "4", undefined])
    await throwsCode("OPTION", () => new Key(42, "integer").shard(n));
});

end();
