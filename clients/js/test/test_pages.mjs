// test_pages.mjs - the examples in JavaScript of the package and of docs, each run as a program as it stands
//
// What a page leaves out is added: files, a server for https://example.org, values that a caller has.

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Filter, RibbonMap } from "../lib/index.js";
import { end, test } from "./testing.mjs";

const top = fileURLToPath(new URL("../../../", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "ribbon."));

// What the programs find, as global names; files are served from the folder that they run in.
const PRELUDE = `
  import { readFileSync } from "node:fs";
  const { fetch } = globalThis;
  globalThis.fetch = async (url, options) => {
    if (!String(url).startsWith("https://example.org/")) return fetch(url, options);
    if (String(url).endsWith(".wasm")) return new Response(readFileSync("node_modules/ribbonfilter/dist" + new URL(url).pathname));
    const all = readFileSync(new URL(url).pathname.slice(1));
    const [, first, last] = /^bytes=(\\d+)-(\\d+)$/.exec(new Headers(options.headers).get("range")).map(Number);
    const headers = { "content-range": \`bytes \${first}-\${last}/\${all.length}\` };
    return new Response(all.subarray(first, last + 1), { status: 206, headers });
  };
  const probe = readFileSync("node_modules/ribbonfilter/dist/ribbon.wasm");
  globalThis.compiledModule = await WebAssembly.compile(probe);
  globalThis.fetchSomewhere = async () => readFileSync("node_modules/ribbonfilter/dist/ribbon-build.wasm");
  globalThis.bytes = new Uint8Array(readFileSync("plans.ribbon"));
  globalThis.crypto ??= (await import("node:crypto")).webcrypto;
  globalThis.listed = new Uint8Array(readFileSync("listed"));
  globalThis.sha1 = listed;
  globalThis.list = [listed, new Uint8Array(20)];
`;

// What holds at a program's end, by the page and the number of its block.
const CHECKS = {
  "clients/js/README.md 1": `[members.has(43n), (await sha1("password")).byteLength, await leaked.has(listed)], [false, 20, true]`,
  "docs/javascript.md 1": `[members.has(43n), [...members.hasMany([1, 2, 3])], plans.get("ann@example.org"),
    (await Filter.open("words.ribbon")).hasMany(["ann", "bob"]).join()], [false, [1, 0, 1], "pro", "1,1"]`,
  "docs/javascript.md 2": `[await leaked.has(sha1), Object.keys(leaked.traffic)], [true, ["requests", "bytes"]]`,
  "docs/javascript.md 3": `[chain.hasMany(["ann", "bob", "eve", "zoe"]).join(), chain.member("zoe", new Date("2026-03-02")),
    chain.member("zoe", new Date("2026-03-01"))], ["1,1,0,1", null, true]`,
  "docs/bundlers.md 1": `(await (await import("ribbonfilter")).Filter.build(["a"])).size, 1`,
  "docs/bundlers.md 2": `(await (await import("ribbonfilter")).Filter.build(["a"])).size, 1`,
  "docs/javascript.md 4": `(await (await import("ribbonfilter")).Filter.build(["a"])).size, 1`,
};

// The filter that examples/passwords makes, by the command if there is one: of a list whose first line is kept.
function leakedPasswords() {
  const generate = join(directory, "generate");
  const said = (program, args, input) => {
    const { status, stdout, stderr } = spawnSync(program, args, { input, timeout: 60000, maxBuffer: 1 << 26 });
    assert.strictEqual(status, 0, String(stderr));
    return stdout;
  };
  said(process.env.CC ?? "cc", ["-o", generate, join(top, "examples/passwords/generate.c")]);
  const lines = said(generate, ["10000"]);
  const digest = (line) => Buffer.from(line.slice(0, 40), "hex");
  writeFileSync(join(directory, "listed"), digest(String(lines)));
  const path = join(directory, "leaked.ribbon");
  const script = readFileSync(join(top, "examples/passwords/run.sh"), "utf8");
  assert.match(script, /\$ribbon build --format sha1 -f 1\/128 -o/);
  const command = join(top, "build/lib/ribbon");
  if (!existsSync(command)) return Filter.build(String(lines).trimEnd().split("\n").map(digest), { fpr: 1 / 128 });
  said(command, ["build", "--format", "sha1", "-f", "1/128", "-o", path], lines);
  return readFileSync(path);
}

function run(code) {
  writeFileSync(join(directory, "program.mjs"), `import "./prelude.mjs";\n${code}`);
  const { status, stderr } = spawnSync(process.execPath, ["program.mjs"], {
    cwd: directory,
    timeout: 60000,
    encoding: "utf8",
  });
  assert.strictEqual(status, 0, stderr);
}

try {
  mkdirSync(join(directory, "node_modules"));
  symlinkSync(join(top, "clients/js"), join(directory, "node_modules/ribbonfilter"));
  writeFileSync(join(directory, "prelude.mjs"), PRELUDE);
  for (const [name, made] of [
    ["members", await Filter.build([1n, 3n], { fpr: 1e-9 })],
    ["leaked", await Filter.open(await leakedPasswords())],
    ["plans", await RibbonMap.build([["ann@example.org", "pro"]])],
  ])
    writeFileSync(join(directory, `${name}.ribbon`), made.toBytes());
  for (const page of ["clients/js/README.md", "docs/javascript.md", "docs/bundlers.md"]) {
    const text = readFileSync(join(top, page), "utf8");
    for (const [i, [, code]] of [...text.matchAll(/^```js\n([^]*?)^```/gm)].entries())
      await test(`${page}, block ${i + 1}`, () => {
        const check = CHECKS[`${page} ${i + 1}`];
        run(`${code}\n(await import("node:assert")).deepStrictEqual(${check});`);
      });
  }
} finally {
  rmSync(directory, { recursive: true });
}
end();
