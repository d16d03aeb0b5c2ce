// test_remote.mjs - filters on a server: the same answers, few bytes, and servers that misbehave

import assert from "node:assert";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Filter, RemoteFilter, RibbonMap } from "../lib/index.js";
import { RangeServer, bytesResource } from "../tools/range_server.mjs";
import { end, mix, numbers, test, throwsCode } from "./testing.mjs";

const resources = new Map();
const server = new RangeServer(async (path) => resources.get(path));
const address = await server.listen();
function serve(name, bytes) {
  resources.set(`/${name}`, bytesResource(bytes));
  return `${address}${name}`;
}

async function withFaults(faults, body) {
  server.faults = faults;
  try {
    return await body();
  } finally {
    server.faults = {};
  }
}

const filter = await Filter.build(numbers(200000), { fpr: 1 / 128 });
const url = serve("f.ribbon", filter.toBytes());

await test("the same answers as in memory", async () => {
  const remote = await Filter.openRemote(url);
  assert.deepStrictEqual(remote.stats, filter.stats);
  const keys = [...numbers(300, 1000), ...numbers(700, 500000)];
  assert.deepStrictEqual(await remote.hasMany(keys), filter.hasMany(keys));
  const answers = await Promise.all(keys.slice(0, 50).map((key) => remote.has(key)));
  assert.ok(answers.every((answer) => answer));
  for (const options of [{ kind: "homogeneous" }, { width: 32 }, { width: 128, fpr: 0.4 }, { fpr: 2 ** -32 }]) {
    const other = await Filter.build(numbers(30000), options);
    const there = await Filter.openRemote(serve("other", other.toBytes()));
    assert.deepStrictEqual(await there.hasMany(keys), other.hasMany(keys));
  }
});

await test("printed: a line; a clone has the address, which openRemote takes", async () => {
  const remote = await Filter.openRemote(url);
  assert.strictEqual(inspect(remote), `Remote${filter}`);
  assert.strictEqual(JSON.stringify({ remote }), `{"remote":"Remote${filter}"}`);
  const clone = structuredClone(remote);
  assert.deepStrictEqual(clone, { url });
  assert.ok(await (await Filter.openRemote(clone)).has(7));
});

await test("bytes of a key may be changed while it is looked for", async () => {
  const keys = numbers(20000).map((i) => new Uint8Array(Uint32Array.of(i).buffer));
  const digests = await Filter.build(keys);
  const remote = await Filter.openRemote(serve("digests", digests.toBytes()));
  const key = new Uint8Array(4);
  for (let i = 0; i < 20000; i += 500) {
    key.set(keys[i]);
    const asked = [remote.has(key), remote.hasMany([key])];
    key.fill(255);
    assert.deepStrictEqual(await Promise.all(asked), [true, Uint8Array.of(1)]);
  }
});

await test("one that is closed answers no more, nor does a question that waits", async () => {
  const map = await RibbonMap.build(numbers(1000).map((i) => [i, i]));
  const [remote, there] = [await Filter.openRemote(url), await RibbonMap.openRemote(serve("closed", map.toBytes()))];
  assert.strictEqual(there.valueType, "integer");
  const waiting = throwsCode("CLOSED", () => remote.has(99999));
  for (const one of [remote, remote, there]) one.close();
  await waiting;
  await throwsCode("CLOSED", () => remote.has(1));
  await throwsCode("CLOSED", () => there.get(1));
  await throwsCode("CLOSED", () => there.size);
  assert.strictEqual(inspect(there), "RemoteMap, closed");
});

await test("small filters and empty ones", async () => {
  for (const n of [0, 1, 10, 1000]) {
    const small = await Filter.build(numbers(n), { key: "integer" });
    const remote = await Filter.openRemote(serve("small", small.toBytes()), { page: 16 });
    assert.deepStrictEqual(await remote.hasMany(numbers(50)), small.hasMany(numbers(50)));
  }
});

await test("maps, with dictionaries and two planes", async () => {
  for (const value of [(i) => `value ${i % 3000}`, (i) => BigInt(i) << 43n, (i) => (i % 9 ? i : null)]) {
    const entries = numbers(20000).map((i) => [`k${i}`, value(i)]);
    const map = await RibbonMap.build(entries, { fpr: 2 ** -20 });
    const remote = await RibbonMap.openRemote(serve("map", map.toBytes()));
    const keys = numbers(200, 19900).map((i) => `k${i}`);
    assert.deepStrictEqual(await remote.getMany(keys), map.getMany(keys));
    assert.strictEqual(await remote.get("k7"), value(7));
    assert.deepStrictEqual(remote.stats, map.stats);
  }
  await throwsCode("NOT_A_FILTER", () => Filter.openRemote(`${address}map`));
  await throwsCode("NOT_A_MAP", () => RibbonMap.openRemote(url));
});

await test("exact sets", async () => {
  for (const share of [3, 50]) {
    const set = await Filter.buildExact(
      numbers(30000).filter((i) => i % share === 0),
      numbers(30000).filter((i) => i % share !== 0),
    );
    const remote = await Filter.openRemote(serve("exact", set.toBytes()));
    assert.deepStrictEqual(
      await remote.hasMany(numbers(300)),
      Uint8Array.from(numbers(300), (i) => +(i % share === 0)),
    );
  }
});

await test("a map with codes by frequency", async () => {
  const entries = numbers(30000).map((i) => [i, i % 10 ? "free" : `plan ${i % 700}`]);
  const map = await RibbonMap.build(entries, { code: "entropy" });
  const remote = await RibbonMap.openRemote(serve("coded", map.toBytes()));
  assert.deepStrictEqual(await remote.getMany(numbers(400)), map.getMany(numbers(400)));
});

await test("a second question for the same place asks for nothing", async () => {
  const remote = await Filter.openRemote(url);
  await remote.has(77);
  const { requests } = remote.traffic;
  await remote.has(77);
  assert.strictEqual(remote.traffic.requests, requests);
});

// A header that calls for n keys of 7 bits, and a body that is made up: one threshold in eleven bumps.
function gigabyte(n) {
  const varint = (value) => {
    const out = [];
    for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
    return [...out, value];
  };
  const layers = [n, 0.09 * n, 0.0081 * n, 0.0007 * n].map(Math.round);
  const header = [0x91, 1, 0x00, 6 << 3, ...varint(n), 3 << 5];
  for (const keys of layers.slice(1)) header.push(...varint(keys), 0);
  header.push(0, ...new Array(15).fill(0), ...new Array(8).fill(0x10));
  let size = header.length;
  const thresholds = layers.slice(0, 3).map((keys, i) => keys - layers[i + 1]);
  for (const slots of thresholds) size += Math.ceil(Math.ceil((slots - 63) / 128) / 4);
  const body = size;
  for (const slots of thresholds) size += Math.ceil((slots * 7) / 8);
  const expected = Math.floor(layers[3] / 16);
  for (let z = 0; z < 16; z++) size += Math.ceil(((z < 15 ? expected : layers[3] - 15 * expected) * 7) / 8);
  const byte = (at) => {
    if (at < header.length) return header[at];
    const random = Number(mix(BigInt(at)) & 0xffn);
    return at < body && random >= 90 ? 0 : random;
  };
  const read = async (at, length) => Uint8Array.from({ length }, (_, i) => byte(at + i));
  return { size, read };
}

await test("at one gigabyte a question takes at most 3 kB over the wire, a few requests", async () => {
  const resource = gigabyte(1220000000);
  resources.set("/gigabyte", resource);
  assert.ok(resource.size > 1e9);
  const remote = await Filter.openRemote(`${address}gigabyte`);
  assert.strictEqual(remote.size, 1220000000);
  const opened = remote.traffic;
  assert.ok(opened.bytes <= 4096 && opened.requests <= 2);
  const questions = 100;
  const [wire, requests] = [server.bytes, server.requests];
  for (let i = 0; i < questions; i++) await remote.has(i);
  const bytes = (server.bytes - wire) / questions;
  const asked = (server.requests - requests) / questions;
  console.log(`# ${bytes.toFixed(0)} bytes and ${asked.toFixed(2)} requests a question`);
  assert.ok(bytes <= 3000 && asked < 3);
  const before = remote.traffic.requests;
  await remote.hasMany(numbers(500, 1000));
  assert.ok(remote.traffic.requests - before < 1500);
});

await test("files beyond 2 GB and 4 GB are asked for where their bytes are", async () => {
  for (const n of [3e9, 6e9]) {
    const resource = gigabyte(n);
    const asked = [];
    const read = (at, length) => {
      asked.push([at, length]);
      return resource.read(at, length);
    };
    resources.set("/large", { size: resource.size, read });
    const remote = await Filter.openRemote(`${address}large`, { page: 64 });
    assert.strictEqual(remote.stats.bytes, resource.size);
    const keys = numbers(300);
    const answers = await remote.hasMany(keys);
    assert.ok(asked.every(([at, length]) => at >= 0 && at + length <= resource.size));
    const far = asked.filter(([at]) => at > 0.5 * resource.size).length;
    assert.ok(far > 100 && far < 250, `${far} of ${asked.length} in the second half`);
    const others = asked.filter(([at]) => at > 0.93 * resource.size).length;
    assert.ok(others > 5, `${others} in layers behind the first`);
    assert.deepStrictEqual(await (await Filter.openRemote(`${address}large`)).hasMany(keys), answers);
  }
});

await test("a server that ignores ranges, or sends something else", async () => {
  const cases = [
    [{ ignoreRanges: true }, "RANGE"],
    [{ status: 404 }, "NETWORK"],
    [{ status: 500 }, "NETWORK"],
    [{ encoding: "gzip" }, "RANGE"],
    [{ wrongPlace: 1 }, "RANGE"],
    [{ cut: 10 }, "RANGE"],
  ];
  for (const [faults, code] of cases) {
    const error = await withFaults(faults, () => throwsCode(code, () => Filter.openRemote(url)));
    assert.ok(error.message.includes(url));
  }
  const hint = await withFaults({ ignoreRanges: true }, () => throwsCode("RANGE", () => Filter.openRemote(url)));
  assert.match(hint.hint, /open\(\)/);
  await withFaults({ hide: true }, async () => assert.ok(await (await Filter.openRemote(url)).has(5)));
});

await test("a file that changes, a server that goes away or does not answer", async () => {
  const remote = await withFaults({ tag: '"1"' }, () => Filter.openRemote(url, { timeout: 500 }));
  await withFaults({ tag: '"2"' }, () => throwsCode("CHANGED", () => remote.has(4711)));
  await withFaults({ hang: true }, () => throwsCode("TIMEOUT", () => remote.has(4712)));
  await withFaults({ hang: true }, () => throwsCode("TIMEOUT", () => Filter.open(url, { timeout: 300 })));
  const before = remote.traffic.requests;
  const begin = performance.now();
  const many = [numbers(500, 5000), numbers(500, 100000)].map((keys) => remote.hasMany(keys));
  await withFaults({ hang: true }, () => Promise.all(many.map((asked) => throwsCode("TIMEOUT", () => asked))));
  assert.ok(performance.now() - begin < 2000 && remote.traffic.requests === before);
  const again = await withFaults({ tag: '"1"' }, () => remote.hasMany(numbers(500, 5000)));
  assert.deepStrictEqual(again, new Uint8Array(500).fill(1));
  const control = new AbortController();
  control.abort();
  await assert.rejects(Filter.openRemote(url, { signal: control.signal }), { name: "AbortError" });
  await throwsCode("NETWORK", () => Filter.openRemote("http://127.0.0.1:1/f", { timeout: 5000 }));
  await throwsCode("OPTION", () => Filter.openRemote("http://"));
  const mistakes = [{ timeout: "x" }, { timeout: 0 }, { timeout: 2 ** 31 }, { signal: 5 }, { fetch: 5 }, 5, "x"];
  mistakes.push({ signal: { aborted: false, addEventListener() {} } }); // from which it could not be taken away
  mistakes.push({ headers: null }, { credentials: "include" });
  for (const options of [{ page: 1 }, ...mistakes, { headers: { "a b": "c" } }, { pages: 64 }])
    await throwsCode("OPTION", () => Filter.openRemote(url, options));
  for (const options of [...mistakes, { headers: 5 }, { page: 64 }])
    await throwsCode("OPTION", () => Filter.open(url, options));
  assert.ok((await Filter.openRemote(url, null)) && (await Filter.open(url, null)));
});

await test("a kept connection that has ended is no error, a server that ends all is one", async () => {
  await withFaults({ endsAt: 2 }, async () => {
    const before = server.requests;
    const remote = await Filter.openRemote(url, { page: 16 });
    const keys = [...numbers(20), ...numbers(20, 200000)];
    for (const key of keys) assert.strictEqual(await remote.has(key), filter.has(key));
    assert.ok(server.requests - before > remote.traffic.requests, "no connection has ended");
  });
  await withFaults({ endsAt: 1 }, async () => {
    const before = server.requests;
    await throwsCode("NETWORK", () => Filter.openRemote(url));
    const requests = server.requests - before;
    assert.ok(requests >= 4 && requests <= 8, `${requests} requests`);
  });
});

await test("redirects are followed once, and counted", async () => {
  const elsewhere = new RangeServer(async (path, { headers }) => (seen.push(headers), resources.get(path)));
  const seen = [];
  const other = await elsewhere.listen();
  try {
    for (const [status, base] of [301, 302, 303, 307, 308].flatMap((n) => [[n, "/"], [n, other]])) {
      resources.set("/from", { status, location: `${base}f.ribbon` });
      const before = server.requests + elsewhere.requests;
      const remote = await Filter.openRemote(`${address}from`, { headers: { Authorization: "Basic secret" } });
      assert.deepStrictEqual(await remote.hasMany(numbers(100, 199950)), filter.hasMany(numbers(100, 199950)));
      assert.strictEqual(remote.traffic.requests, server.requests + elsewhere.requests - before);
      resources.set("/from", { status: 302, location: "/nowhere" }); // it is not asked again
      assert.strictEqual(await remote.has(5), true);
    }
    assert.ok(seen.length > 0 && seen.every(({ authorization }) => authorization === undefined));
  } finally {
    await elsewhere.close();
  }
});

await test("a target that moves, changes, or redirects in a circle", async () => {
  const from = `${address}from`;
  resources.set("/first", resources.get("/f.ribbon"));
  resources.set("/from", { status: 302, location: "/first" });
  const remote = await Filter.openRemote(from, { page: 16 });
  resources.delete("/first");
  resources.set("/from", { status: 302, location: "/f.ribbon" });
  assert.deepStrictEqual(await remote.hasMany(numbers(50)), filter.hasMany(numbers(50)));
  resources.set("/from", { status: 302, location: "/nowhere" });
  assert.strictEqual(await remote.has(7000), true);

  resources.set("/first", resources.get("/f.ribbon"));
  resources.set("/from", { status: 307, location: "/first" });
  const moved = await Filter.openRemote(from, { page: 16 });
  resources.delete("/first");
  resources.set("/from", { status: 307, location: "/other.ribbon" });
  serve("other.ribbon", (await Filter.build(numbers(100000))).toBytes());
  await throwsCode("CHANGED", () => moved.hasMany(numbers(50)));
  resources.set("/from", { status: 307, location: "/nowhere" });
  assert.match((await throwsCode("NETWORK", () => moved.hasMany(numbers(50)))).message, /status 404/);

  for (const location of ["/from", "ftp://localhost/f", "http://127.0.0.1:1/f", "http://"]) {
    resources.set("/from", { status: 301, location });
    await throwsCode("NETWORK", () => Filter.openRemote(from, { timeout: 5000 }));
  }
  const secure = async (...call) => {
    const response = await fakeFetch(() => ({}))(...call);
    return Object.defineProperties(response, { redirected: { value: true }, url: { value: "http://localhost/f" } });
  };
  const error = await throwsCode("NETWORK", () => Filter.openRemote("https://localhost/f", { fetch: secure }));
  assert.match(error.message, /redirects from https/);
});

// What fetch() has, without a server: answer(n, range) says how the n-th response differs.
function fakeFetch(answer) {
  const all = filter.toBytes();
  let n = 0;
  return async (_, { headers }) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(headers).get("range")).map(Number);
    const { body = all.slice(first, last + 1), ...others } = answer(++n, headers);
    const range = `bytes ${first}-${last}/${all.length}`;
    return new Response(body, { status: 206, headers: { "content-range": range, ...others } });
  };
}

await test("a body that is not read in parts, as of fetch() made of older requests", async () => {
  const whole = async (...call) => {
    const response = await fakeFetch(() => ({}))(...call);
    return Object.defineProperty(response, "body", { value: undefined });
  };
  assert.ok(await (await Filter.openRemote("http://localhost/f", { fetch: whole })).has(5));
  const all = async () => Object.defineProperty(new Response(filter.toBytes()), "body", { value: { pipe() {} } });
  assert.ok((await Filter.open("http://localhost/f", { fetch: all })).has(5));
  await throwsCode("RANGE", () => Filter.openRemote("http://localhost/f", { fetch: all }));
});

const endless = () => new ReadableStream({ pull: (control) => control.enqueue(new Uint8Array(1 << 20)) });

await test("a body without an end, one that does not come, headers of the caller's", async () => {
  const openWith = (answer, options) =>
    Filter.openRemote("http://localhost/f", { fetch: fakeFetch(answer), timeout: 500, ...options });
  await throwsCode("RANGE", () => openWith(() => ({ body: endless() })));
  await throwsCode("TIMEOUT", () => openWith(() => ({ body: new ReadableStream({}) })));
  const control = new AbortController();
  const remote = await openWith((n) => (n > 1 ? { body: new ReadableStream({}) } : {}), { signal: control.signal });
  setTimeout(() => control.abort(), 50);
  await assert.rejects(remote.has(5), { name: "AbortError" });
  await throwsCode("NETWORK", () => openWith(() => ({ body: new ReadableStream({ start: (c) => c.error("gone") }) })));
  assert.ok(await (await openWith(() => ({ "content-encoding": "Identity" }))).has(5));
  const ofAnySize = (shift) => (n, sent) => {
    const [, first, last] = /(\d+)-(\d+)/.exec(new Headers(sent).get("range")).map(Number);
    return n > 1 ? { "content-range": `bytes ${first + shift}-${last + shift}/*` } : {};
  };
  assert.ok(await (await openWith(ofAnySize(0))).has(5));
  await throwsCode("RANGE", async () => (await openWith(ofAnySize(1))).has(5));
  for (const headers of [{ "X-Token": "1" }, [["X-Token", "1"]], new Headers({ "X-Token": "1" })]) {
    const seen = [];
    await openWith((_, sent) => (seen.push(new Headers(sent).get("x-token")), {}), { headers });
    assert.deepStrictEqual([...new Set(seen)], ["1"]);
  }
});

await test("what is refused is given up, and not left to come", async () => {
  const signals = [];
  const answering = (status, headers) => async (_, { signal }) => {
    signals.push(signal);
    return new Response(endless(), { status, headers });
  };
  const [there, zipped] = [{ "content-range": "bytes 0-9/9" }, { "content-encoding": "gzip" }];
  for (const [code, ...given] of [["RANGE", 200], ["NETWORK", 404], ["RANGE", 206, there], ["RANGE", 206, zipped]])
    await throwsCode(code, () => Filter.openRemote("http://localhost/f", { fetch: answering(...given) }));
  await throwsCode("NETWORK", () => Filter.open("http://localhost/f", { fetch: answering(404) }));
  assert.deepStrictEqual(signals.map(({ aborted }) => aborted), new Array(5).fill(true));
});

await test("signals without a reason, as browsers have them before Chrome 98", async () => {
  const reason = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "reason");
  Object.defineProperty(AbortSignal.prototype, "reason", { configurable: true, get: () => undefined });
  try {
    const never = async () => new Response(new ReadableStream({}));
    await throwsCode("TIMEOUT", () => Filter.open("http://localhost/f", { fetch: never, timeout: 100 }));
    await withFaults({ hang: true }, () => throwsCode("TIMEOUT", () => Filter.open(url, { timeout: 100 })));
    const control = new AbortController();
    setTimeout(() => control.abort(), 50);
    const asked = Filter.open("http://localhost/f", { fetch: never, signal: control.signal });
    await assert.rejects(asked, { name: "AbortError" });
  } finally {
    Object.defineProperty(AbortSignal.prototype, "reason", reason);
  }
});

await test("hostile bytes on a server", async () => {
  const bytes = filter.toBytes();
  await throwsCode("TRUNCATED", () => Filter.openRemote(serve("short", bytes.slice(0, 1000))));
  await throwsCode("VERSION", () => Filter.openRemote(serve("html", new TextEncoder().encode("<!DOCTYPE html>"))));
  await throwsCode("TRUNCATED", () => Filter.openRemote(serve("empty", new Uint8Array(0))));
  for (let i = 0; i < 200; i++) {
    const damaged = bytes.slice();
    for (let k = 0; k < 4; k++) damaged[Number(mix(BigInt(4 * i + k)) % 60n)] ^= 1 << (i % 8);
    const remote = await Filter.openRemote(serve("damaged", damaged)).catch((error) => error);
    if (remote instanceof Error) assert.strictEqual(remote.name, "RibbonError");
    else await remote.hasMany(numbers(20)).catch((error) => assert.strictEqual(error.name, "RibbonError"));
  }
});

await test("a dictionary that is larger than it should be", async () => {
  const map = await RibbonMap.build(numbers(300).map((i) => [i, `value ${i % 50}`]));
  const bytes = map.toBytes();
  const varint = (n) => (n < 128n ? [Number(n)] : [Number(n & 127n) | 128, ...varint(n >> 7n)]);
  // the head of the map ends with the number of bytes of the dictionary, in front of its type: pg_catalog, text
  const at = Buffer.from(bytes).indexOf("\npg_catalog\x04text");
  const length = bytes[at - 2] - 128 + 128 * bytes[at - 1];
  assert.deepStrictEqual([...bytes.slice(at - 2, at)], varint(BigInt(length)));
  for (const more of [2 ** 24, 2 ** 31, 2 ** 50]) {
    const front = [...bytes.slice(0, at - 2), ...varint(BigInt(length + more)), ...bytes.slice(at, at + length)];
    const back = bytes.slice(at + length);
    const total = front.length + more + back.length;
    const asked = [];
    const fetch = async (_, { headers }) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(headers).get("range")).map(Number);
      const body = new Uint8Array(Math.min(last + 1, total) - first);
      if (first < front.length) body.set(front.slice(first, last + 1));
      const behind = total - back.length - first;
      const skipped = Math.max(-behind, 0);
      if (behind < body.length) body.set(back.slice(skipped, skipped + body.length), Math.max(behind, 0));
      asked.push(body.length);
      return new Response(body, { status: 206, headers: { "content-range": `bytes ${first}-${last}/${total}` } });
    };
    await throwsCode("CORRUPT", () => RibbonMap.openRemote("http://localhost/m", { fetch }));
    assert.ok(asked.length < 6 && asked.reduce((a, b) => a + b) < 2 ** 25, asked.join());
  }
  await throwsCode("NETWORK", () => Filter.openRemote("http://localhost/m", { fetch: async () => undefined }));
});

await test("a request that fails is no answer to who waits for others", async () => {
  let failures = 0;
  const options = { fetch: (...asked) => (failures-- > 0 ? Promise.reject(new TypeError("no")) : fetch(...asked)) };
  const remote = await Filter.openRemote(url, options);
  const keys = numbers(100).map((i) => 2000 * i);
  failures = 1;
  const many = throwsCode("NETWORK", () => remote.hasMany(keys));
  assert.strictEqual(await remote.has(keys[90]), true);
  await many;
  assert.ok(remote.traffic.requests < 30);
});

await test("what could not be opened is freed once", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  class Odd extends RemoteFilter {
    static made;
    constructor(...args) {
      super(...args);
      Odd.made = this;
      throw new RangeError();
    }
  }
  await assert.rejects(Odd.open(url), RangeError);
  await throwsCode("CLOSED", () => Odd.made.has(1));
  Odd.made = undefined;
  const opened = await Promise.all(numbers(20).map(() => Filter.openRemote(url)));
  for (let i = 0; i < 5; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const built = await Promise.all(numbers(20).map((i) => Filter.build([i])));
  for (const remote of opened) assert.ok(await remote.has(1));
  assert.ok(built.every((other, i) => other.has(i)));
});

await server.close();
end();
