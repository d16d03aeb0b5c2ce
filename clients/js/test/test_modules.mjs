// test_modules.mjs - the WebAssembly modules: where they come from, and what is said when they do not come
//
// Each case is a program of its own, for a module is loaded once.

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { RangeServer, bytesResource } from "../tools/range_server.mjs";
import { end, sources, test } from "./testing.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ribbon-modules-"));
const PATHS = { probe: join(root, "dist/ribbon.wasm"), build: join(root, "dist/ribbon-build.wasm") };

// What a program prints that runs before the package is there, then asks a filter.
function run(before, { library = root, after = "", flags = [] } = {}) {
  const code = `${before}
    const { Filter, RibbonMap, setModules } = await import(${JSON.stringify(join(library, "lib/index.js"))});
    try {
      ${after}
      const filters = await Promise.all([Filter.build(["a"]), Filter.build(["b"])]);
      console.log(filters[0].has("a") && !filters[0].has("b"));
    } catch (error) {
      console.log([error.name, error.code, error.message, error.hint].join("\\n"));
    }`;
  const args = [...flags, "--input-type=module", "--no-warnings", "--eval", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60000, cwd: folder });
  return stdout.trim() || stderr;
}

function refused(output, message, hint) {
  const [name, code, ...rest] = output.split("\n");
  assert.deepStrictEqual([name, code], ["RibbonError", "MODULE"], output);
  assert.match(rest.join("\n"), message);
  assert.match(rest.at(-1), hint);
}

// A copy of the package, of which a file is changed.
function copy(name, file, change) {
  const library = join(folder, name);
  mkdirSync(library);
  for (const part of ["lib", "dist", "package.json"])
    cpSync(join(root, part), join(library, part), { recursive: true });
  if (file) writeFileSync(join(library, file), change(readFileSync(join(library, file), "utf8")));
  return library;
}

await test("by themselves, also where several ask at once", () => assert.strictEqual(run(""), "true"));

await test("from paths, addresses, bytes, responses, modules, functions, namespaces", async () => {
  const server = new RangeServer(async (path) => bytesResource(readFileSync(PATHS[path.slice(1)])));
  const address = await server.listen();
  const nowhere = copy("nowhere");
  rmSync(join(nowhere, "dist"), { recursive: true });
  const read = `import { readFileSync } from "node:fs"; const paths = ${JSON.stringify(PATHS)};
    const of = (make) => ({ probe: make(paths.probe, "probe"), build: make(paths.build, "build") });`;
  const forms = [
    "(path) => path",
    "(path) => new URL('file://' + path)",
    "(path) => 'file://' + path",
    "(path) => readFileSync(path)",
    "(path) => new Uint8Array(readFileSync(path)).buffer",
    "(path) => new WebAssembly.Module(readFileSync(path))",
    "(path) => async () => new Blob([readFileSync(path)])",
    "(path) => () => ({ default: new WebAssembly.Module(readFileSync(path)) })",
  ];
  try {
    for (const form of forms)
      assert.strictEqual(run(read, { library: nowhere, after: `setModules(of(${form}));` }), "true", form);
    const inBackground = async (form) => {
      const { spawn } = await import("node:child_process");
      const code = `${read} const { Filter, setModules } = await import(${JSON.stringify(join(nowhere, "lib/index.js"))});
        setModules(of(${form})); console.log((await Filter.build(["a"])).has("a"));`;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", code]);
      const parts = await child.stdout.toArray();
      return Buffer.concat(parts).toString().trim();
    };
    for (const form of [
      `(_, name) => ${JSON.stringify(address)} + name`,
      `(_, name) => () => fetch(${JSON.stringify(address)} + name)`,
      // as in a page, whose addresses are without a server's name; bundlers give them as URLs of their own kind
      `(_, name) => { globalThis.location = { href: "${address}page/" };
         return Object.create(URL.prototype, { href: { value: "/" + name }, protocol: { value: "" } }); }`,
    ])
      assert.strictEqual(await inBackground(form), "true", form);
  } finally {
    await server.close();
  }
});

await test("a page instead of a module, as servers of one page send it", () => {
  const library = copy("page", "dist/ribbon-build.wasm", () => "<!doctype html><title>none</title>");
  refused(run("", { library }), /"build": what comes from file:.*begins with "<!doctype html>/, /ribbonfilter\/inline/);
  const long = run("", { after: 'setModules({ build: "data:text/plain," + "x".repeat(5000) });' });
  refused(long, /from data:.*begins with "xxx/, /ribbonfilter\/inline/);
  assert.ok(long.length < 500, long);
  const empty = copy("empty", "dist/ribbon-build.wasm", () => "");
  refused(run("", { library: empty }), /begins with ""/, /docs\/bundlers.md/);
});

await test("no file, as in a bundle of one file", () => {
  const library = copy("none");
  rmSync(join(library, "dist"), { recursive: true });
  refused(run("", { library }), /cannot read file:.*ENOENT/, /ribbonfilter\/inline/);
});

await test("no import.meta.url, as in CommonJS", () => {
  const library = copy("commonjs", "lib/modules.js", (text) => text.replaceAll("import.meta.url", "({}).url"));
  refused(run("", { library }), /Invalid URL/, /ribbonfilter\/inline/);
});

await test("a policy, or a runtime, that forbids to compile", () => {
  for (const message of [
    "WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an " +
      "allowed source of script in the following Content Security Policy directive",
    "call to WebAssembly.compile() blocked by CSP",
    "WebAssembly.compile(): Wasm code generation disallowed by embedder",
    "Dynamic WASM code generation (e. g. 'WebAssembly.compile') not allowed in Edge Runtime",
  ]) {
    const error = `new WebAssembly.CompileError(${JSON.stringify(message)})`;
    refused(
      run(`WebAssembly.compile = async () => { throw ${error}; };`),
      new RegExp(message.slice(0, 20).replace(/[()]/g, ".")),
      /'wasm-unsafe-eval'.*setModules/,
    );
  }
});

await test("a runtime without SIMD, without WebAssembly, or without memory", () => {
  const old = `WebAssembly.compile = async () => { throw new WebAssembly.CompileError("invalid value type 0x7b"); };`;
  refused(run(old), /invalid value type/, /Chrome 93/);
  refused(run("delete globalThis.WebAssembly;"), /no WebAssembly here/, /React Native/);
  const full = `WebAssembly.instantiate = async () => { throw new RangeError("could not allocate memory"); };`;
  assert.match(run(full), /^RibbonError\nMEMORY\n/);
});

// Memory that is not written to takes no room, so that there is this much of it wherever there are addresses for it.
await test("memory that was full to the last byte is there again when it is freed", async () => {
  for (const path of [PATHS.probe, PATHS.build]) {
    const env = new Proxy({}, { get: () => () => 0 });
    const { instance } = await WebAssembly.instantiate(readFileSync(path), { env });
    const { alloc, free, memory } = instance.exports;
    const blocks = [];
    for (let size = 0x70000000; size > 0; size = Math.floor(size / 2))
      for (let at; (at = alloc(size)) !== 0; ) blocks.push(at);
    assert.strictEqual(alloc(1), 0);
    const full = memory.buffer.byteLength;
    for (const at of blocks) free(at);
    assert.notStrictEqual(alloc(0x70000000), 0);
    assert.strictEqual(memory.buffer.byteLength, full);
  }
});

await test("another module than the one that was meant", () => {
  const swapped = `import { readFileSync } from "node:fs";`;
  const after = (path) => `setModules({ build: readFileSync(${JSON.stringify(path)}) });`;
  refused(run(swapped, { after: after(PATHS.probe) }), /"build"/, /of one version/);
  writeFileSync(join(folder, "empty.wasm"), Buffer.from("0061736d01000000", "hex"));
  refused(run(swapped, { after: after(join(folder, "empty.wasm")) }), /it is another module/, /of one version/);
  assert.match(run("", { after: "setModules({ probes: 1 });" }), /^RibbonError\nOPTION\nunknown module "probes"/);
  assert.match(run("", { after: "setModules(null); setModules(undefined);" }), /^true/);
});

await test("a browser that makes no instance of a module this large at once", () =>
  // as Chrome before 115 refuses it on the main thread
  assert.strictEqual(
    run(`WebAssembly.Instance = function () { throw new RangeError("WebAssembly.Instance is disallowed"); };
      const { Module } = WebAssembly; WebAssembly.Module = function () { throw new RangeError("disallowed"); };`),
    "true",
  ));

await test("a runtime that does not tell what is abandoned", () =>
  assert.strictEqual(run("delete globalThis.FinalizationRegistry;"), "true"));

await test("a failure is not kept: the next call tries again", () => {
  const output = run(
    `const { compile } = WebAssembly; let failures = 2;
    WebAssembly.compile = (...args) => failures-- > 0 ? Promise.reject(new Error("for now")) : compile(...args);`,
    {
      after: `for (let i = 0; i < 2; i++) await Filter.build(["a"]).catch((error) => console.log(error.code));`,
    },
  );
  assert.strictEqual(output, "MODULE\nMODULE\ntrue");
});

await test("nothing is imported while it runs, which a service worker forbids", () => {
  for (const [file, source] of sources(".js")) {
    const text = source.replace(/(^|\s)\/\/.*$/gm, "");
    const count = [...text.matchAll(/\bimport\(/g)].length;
    assert.strictEqual(count, file === "source/files.js" ? 1 : 0, file); // that of node:fs
  }
});

await test("no file imports one that imports it", () => {
  const imports = new Map(
    sources(".js").map(([file, source]) => [
      file,
      [...source.matchAll(/from "(\..*?)"/g)].map(([, other]) => posix.join(posix.dirname(file), other)),
    ]),
  );
  const visit = (name, path) => {
    assert.ok(!path.includes(name), [...path, name].join(" -> "));
    for (const other of imports.get(name)) visit(other, [...path, name]);
  };
  visit("index.js", []);
});

rmSync(folder, { recursive: true });
end();
