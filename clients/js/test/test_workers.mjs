// test_workers.mjs - the package in workers: of Node.js, of a page, a service worker; behind a policy; in a frame
//
// Where there is no Chromium, only the first one.

import assert from "node:assert";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Filter } from "../lib/index.js";
import { RangeServer, bytesResource, fileResource } from "../tools/range_server.mjs";
import { Browser, findBrowser } from "./browser.mjs";
import { end, test } from "./testing.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

// Everything that there is to do, in a line.
const ALL = `async (url) => {
  const members = await Filter.build(["a", "b"]);
  const exact = await Filter.buildExact([1, 2], [3]);
  const map = await RibbonMap.build([["a", "gold"]]);
  const remote = await Filter.openRemote(url);
  const opened = await Filter.open(url);
  const remoteMap = await RibbonMap.openRemote(url).catch((error) => error.code);
  return [
    members.has("a"), members.has("zz"), await members.check(), (await members.shrink(0.3)).has("b"),
    exact.has(1), exact.has(3), map.get("a"), await map.check(), await remote.has("key 7"), opened.has("key 7"),
    remoteMap, await new Key("a", "text").shard(1), await expectedBytes(1000) > 800,
  ].join();
}`;
const EXPECTED = "true,false,true,true,true,false,gold,true,true,true,NOT_A_MAP,0,true";
const IMPORT = 'import { Filter, Key, RibbonMap, expectedBytes, setModules } from "/lib/index.js";';

const filter = await Filter.build(Array.from({ length: 5000 }, (_, i) => `key ${i}`));
const pages = {
  "/f.ribbon": [filter.toBytes()],
  "/": ["<!doctype html><title>page</title>", "text/html"],
  "/worker.js": [`${IMPORT} onmessage = async ({ data }) => postMessage(await (${ALL})(data));`, "text/javascript"],
  "/service.js": [
    `${IMPORT}
    const ask = ${ALL};
    onmessage = ({ data, source, waitUntil }) => ask(data).then(
      (text) => source.postMessage(text), (error) => source.postMessage(error.stack));`,
    "text/javascript",
  ],
  "/policy": [
    `<!doctype html><meta http-equiv="content-security-policy" content="script-src 'self' 'unsafe-inline'">`,
    "text/html",
  ],
  "/allowed": [
    `<!doctype html><meta http-equiv="content-security-policy"
     content="script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'">`,
    "text/html",
  ],
  "/frame": ["<!doctype html><iframe src='/'></iframe>", "text/html"],
};
// as servers of one page do, another address gives the page, too
const server = new RangeServer(async (path) => {
  const [content, type] = pages[path] ?? [];
  if (content) return bytesResource(Buffer.from(content), type);
  return (await fileResource(root + path.slice(1))) ?? bytesResource(Buffer.from(pages["/"][0]), "text/html");
});
const address = await server.listen();

await test("a worker of Node.js, and what it sends", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.lib).then(async ({ Filter, Key, RibbonMap, expectedBytes }) => {
      parentPort.postMessage([await (${ALL})(workerData.url), await Filter.build(["sent"])]);
    });`;
  const workerData = { lib: new URL("../lib/index.js", import.meta.url).href, url: `${address}f.ribbon` };
  const worker = new Worker(code, { eval: true, workerData });
  const [text, sent] = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  assert.strictEqual(text, EXPECTED);
  assert.ok((await Filter.open(sent)).has("sent"));
  await worker.terminate();
});

const program = findBrowser();
if (program === null) {
  console.log("ok - skipped: there is no Chromium, and none could be installed");
  await server.close();
  end();
}
const browser = new Browser(program);
const load = "const { Filter, Key, RibbonMap, expectedBytes, setModules } = await import('/lib/index.js');";
const within = (code) => browser.evaluate(`(async () => { ${load} ${code} })()`);
const failure = (code) =>
  within(`try { ${code} } catch (error) { return [error.name, error.code, error.message, error.hint].join("\\n"); }`);

await test("a page", async () => {
  await browser.open();
  await browser.goto(address, "document.title === 'page'");
  assert.strictEqual(await within(`return (${ALL})("/f.ribbon")`), EXPECTED);
});

await test("a worker of a page", async () => {
  const answer = await browser.evaluate(`new Promise((resolve, reject) => {
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage("/f.ribbon");
  })`);
  assert.strictEqual(answer, EXPECTED);
});

await test("a service worker", async () => {
  const answer = await browser.evaluate(`(async () => {
    const registration = await navigator.serviceWorker.register("/service.js", { type: "module" });
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    const answer = new Promise((resolve) => {
      navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage("/f.ribbon");
    const text = await answer;
    await registration.unregister();
    return text;
  })()`);
  assert.strictEqual(answer, EXPECTED);
});

await test("addresses that are relative to the page; pages that come instead", async () => {
  assert.strictEqual(
    await within(`setModules({ probe: "dist/ribbon.wasm", build: "dist/ribbon-build.wasm" });
      return (${ALL})("f.ribbon")`),
    EXPECTED,
  );
  const output = await failure(`setModules({ build: "/no/such.wasm" }); await Filter.build(["a"]);`);
  assert.match(output, /^RibbonError\nMODULE\n.*\/no\/such\.wasm is none, but begins with "<!doctype html>/);
  assert.match(await failure(`await Filter.open("/no/such.ribbon");`), /^RibbonError\n(VERSION|CORRUPT)\n/);
});

await test("a policy without wasm-unsafe-eval, and with it", async () => {
  await browser.goto(`${address}policy`, "document.querySelector('meta') !== null");
  assert.match(await failure(`await Filter.build(["a"]);`), /^RibbonError\nMODULE\n.*\n.*'wasm-unsafe-eval'/s);
  await browser.goto(`${address}allowed`, "document.querySelector('[content*=wasm]') !== null");
  assert.strictEqual(await within(`return (${ALL})("/f.ribbon")`), EXPECTED);
});

await test("values of a frame", async () => {
  await browser.goto(`${address}frame`, "frames[0]?.document.title === 'page'");
  const answer = await within(`
    const { Uint8Array, ArrayBuffer, Date, Map, Blob, Response, URL } = frames[0];
    const bytes = await Filter.build([Uint8Array.of(1), Uint8Array.of(2).buffer]);
    const dates = await Filter.build([new Date(0)]);
    const map = await RibbonMap.build(new Map([["a", new Date(0)]]));
    const all = new Uint8Array(await (await fetch("/f.ribbon")).arrayBuffer());
    const sources = [all, all.buffer, new Blob([all]), new Response(all), new URL("/f.ribbon", location.href)];
    const opened = await Promise.all(sources.map((source) => Filter.open(source)));
    return [bytes.has(new DataView(Uint8Array.of(2).buffer)), dates.has(new globalThis.Date(0)), map.get("a"),
      opened.map((filter) => filter.has("key 7")).join("")].join();`);
  assert.strictEqual(answer, "true,true,1970-01-01 00:00:00+00,truetruetruetruetrue");
});

await browser.close();
await server.close();
end();
