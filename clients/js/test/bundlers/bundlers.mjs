// bundlers.mjs - the package in bundlers and runtimes, as docs/bundlers.md says: built, and opened in Chromium
//
// usage: node bundlers.mjs FOLDER [NAME]...
//
// Installs what package.json lists, and the package as npm packs it, in FOLDER, of which a second run finds them there.
// NAMEs are parts of names of tests.

import assert from "node:assert";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { RangeServer, fileResource } from "../../tools/range_server.mjs";
import { Browser, findBrowser } from "../browser.mjs";

const LIMIT = 600000; // ms, for one program
const run = promisify(execFile);
const here = fileURLToPath(new URL("./", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const [folder, ...wanted] = process.argv.slice(2);
const work = resolve(folder);
const out = join(work, "out");
const modules = join(work, "node_modules");
const program = (path) => join(modules, path);
const { NODE_ENV, ...env } = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }; // Vite sets NODE_ENV, Next wants none
const options = { cwd: work, env, timeout: LIMIT, maxBuffer: 1 << 26 };
const node = (args, more) => run(process.execPath, args, { ...options, ...more });

// --- what is tested is there: the bundlers, the package from its archive, the pages ---

mkdirSync(work, { recursive: true });
const manifest = readFileSync(join(here, "package.json"), "utf8");
const installed = join(work, "installed.json");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== manifest) {
  console.log("# installing bundlers");
  writeFileSync(join(work, "package.json"), manifest);
  await run("npm", ["install", "--no-fund", "--no-audit", "--silent"], { ...options, timeout: 600000 });
  writeFileSync(installed, manifest);
}
await run("npm", ["pack", "--silent", "--pack-destination", work], { ...options, cwd: root });
rmSync(program("ribbonfilter"), { recursive: true, force: true });
mkdirSync(program("ribbonfilter"));
const { version } = JSON.parse(readFileSync(join(root, "package.json")));
const archive = join(work, `ribbonfilter-${version}.tgz`);
await run("tar", ["xzf", archive, "--strip-components=1", "-C", program("ribbonfilter")], options);
for (const part of ["app", "next"]) {
  rmSync(join(work, part), { recursive: true, force: true });
  cpSync(join(here, part), join(work, part), { recursive: true });
}
rmSync(out, { recursive: true, force: true });
writeFileSync(join(work, "load.mjs"), "export default (name) => import(name);\n");
const { default: load } = await import(pathToFileURL(join(work, "load.mjs")).href);
const { EXPECTED } = await load("./app/check.js");

// --- to look at what was built ---

// What a page says.
async function look(address) {
  const browser = new Browser(findBrowser());
  try {
    await browser.open();
    await browser.goto(address, "globalThis.result !== undefined");
    return await browser.evaluate("globalThis.result");
  } catch (error) {
    return [error.message, ...browser.errors].join("\n");
  } finally {
    await browser.close();
  }
}

const pageOf = (script) => `<!doctype html><script type="module" src="${script}"></script>`;

// The page of a folder that a server shows; if there is none, one with the script main.js.
async function lookInto(directory) {
  if (!existsSync(join(directory, "index.html"))) writeFileSync(join(directory, "index.html"), pageOf("main.js"));
  const server = new RangeServer((path) => fileResource(join(directory, path === "/" ? "index.html" : path)));
  try {
    return await look(await server.listen());
  } finally {
    await server.close();
  }
}

const lastLine = ({ stdout }) => stdout.trim().split("\n").at(-1);
let failed = 0;

async function test(name, body, expected = EXPECTED) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  try {
    const answer = await body();
    if (expected instanceof RegExp) assert.match(answer, expected);
    else assert.strictEqual(answer, expected);
    console.log(`ok - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok - ${name}`);
    console.log(`${error.stack ?? error}\n${error.stdout ?? ""}\n${error.stderr ?? ""}`.replace(/^/gm, "# "));
  }
}

// --- webpack, and Rspack, which reads its configuration ---

async function webpack(name, entry, target) {
  const path = join(out, `${name}-${entry}-${target}`);
  const output = { path, filename: target === "node" ? "main.cjs" : "main.js" };
  const config = { mode: "production", performance: false, target, context: work, entry: `./app/${entry}.js`, output };
  const script = join(work, "webpack.cjs");
  writeFileSync(
    script,
    `const [name, config] = process.argv.slice(2);
    (require(name).rspack ?? require(name))(JSON.parse(config), (error, stats) => {
      const text = error?.message ?? stats.toString({ all: false, errors: true, warnings: true });
      if (text) { console.log(text); process.exitCode = 1; }
    });`,
  );
  // releases before 5.54 hash by MD4
  await node(["--openssl-legacy-provider", script, name, JSON.stringify(config)]);
  return path;
}

for (const name of ["webpack-old", "webpack-5.102", "webpack-new", "@rspack/core"]) {
  await test(`${name}: a page`, async () => lookInto(await webpack(name, "plain", "web")));
  // 5.0 makes a script of a worker, and leaves { type: "module" } as it is
  if (name !== "webpack-old")
    await test(`${name}: a worker of a page`, async () => lookInto(await webpack(name, "worker", "web")));
  await test(`${name}: a program`, async () =>
    lastLine(await node([join(await webpack(name, "plain", "node"), "main.cjs")])));
  await test(`${name}: modules as text`, async () => lookInto(await webpack(name, "inline", "web")));
}

// --- Vite ---

for (const [name, config] of [
  ["vite-old", { optimizeDeps: { exclude: ["ribbonfilter"] } }],
  ["vite-new", {}],
]) {
  const { build, createServer, preview } = await load(name);
  for (const entry of ["plain", "worker"]) {
    const site = join(out, `${name}-${entry}`);
    const common = { ...config, root: site, configFile: false, logLevel: "error" };
    mkdirSync(site, { recursive: true });
    cpSync(join(work, "app"), join(site, "app"), { recursive: true });
    writeFileSync(join(site, "index.html"), pageOf(`./app/${entry}.js`));
    await test(`${name}: the server, ${entry}`, async () => {
      const server = await createServer({ ...common, server: { port: 0, host: "127.0.0.1" } });
      await server.listen();
      const answer = await look(server.resolvedUrls.local[0]);
      await server.close();
      return answer;
    });
    await test(`${name}: a build and its preview, ${entry}`, async () => {
      await build({ ...common, worker: { format: "es" } });
      const server = await preview({ ...common, preview: { port: 0, host: "127.0.0.1" } });
      const answer = await look(server.resolvedUrls.local[0]);
      await new Promise((resolve) => server.httpServer.close(resolve));
      return answer;
    });
  }
}

// --- Parcel ---

for (const entry of ["plain", "worker"])
  await test(`parcel: ${entry}`, async () => {
    const site = join(out, `parcel-${entry}`);
    mkdirSync(site, { recursive: true });
    cpSync(join(work, "app"), join(site, "app"), { recursive: true });
    writeFileSync(join(site, "index.html"), pageOf(`app/${entry}.js`));
    const args = ["build", join(site, "index.html"), "--dist-dir", join(site, "dist"), "--no-cache"];
    await node([program("parcel/lib/bin.js"), ...args]);
    return lookInto(join(site, "dist"));
  });

// --- Rollup, esbuild ---

for (const [entry, assets] of [
  ["plain", true],
  ["inline", false],
])
  await test(`rollup: ${entry}`, async () => {
    const { rollup } = await load("rollup");
    const { default: nodeResolve } = await load("@rollup/plugin-node-resolve");
    const { importMetaAssets } = await load("@web/rollup-plugin-import-meta-assets");
    const plugins = [nodeResolve(), ...(assets ? [importMetaAssets()] : [])];
    const bundle = await rollup({ input: join(work, `app/${entry}.js`), plugins });
    const directory = join(out, `rollup-${entry}`);
    await bundle.write({ dir: directory, format: "es", entryFileNames: "main.js" });
    return lookInto(directory);
  });

async function esbuild(entry, more) {
  const { build } = await load("esbuild");
  const outdir = join(out, `esbuild-${entry}-${Object.values(more).map(String).join("-").replace(/\W/g, "")}`);
  const common = { bundle: true, minify: true, outdir, entryNames: "main", logLevel: "error", absWorkingDir: work };
  await build({ ...common, entryPoints: [`app/${entry}.js`], ...more });
  return outdir;
}

for (const loader of ["file", "binary", "dataurl"])
  await test(`esbuild: files by the loader ${loader}`, async () =>
    lookInto(await esbuild("files", { format: "esm", loader: { ".wasm": loader }, outExtension: { ".js": ".js" } })));
await test("esbuild: modules as text", async () => lookInto(await esbuild("inline", { format: "esm" })));
await test("esbuild: modules as text, in a program of CommonJS", async () => {
  const directory = await esbuild("inline", { format: "cjs", platform: "node", outExtension: { ".js": ".cjs" } });
  return lastLine(await node([join(directory, "main.cjs")]));
});
await test(
  "esbuild: a program of CommonJS without them says what to do",
  async () => {
    const settings = { format: "cjs", platform: "node", outExtension: { ".js": ".cjs" } };
    const directory = await esbuild("plain", { ...settings, logOverride: { "empty-import-meta": "silent" } });
    return (await node([join(directory, "main.cjs")])).stdout;
  },
  /^RibbonError MODULE: .*\n.*ribbonfilter\/inline/,
);

// --- Next.js: the answer on the server, and that in the browser ---

async function next(...args) {
  const port = 20000 + (process.pid % 20000);
  const command = [
    program("next/dist/bin/next"),
    args[0],
    "next",
    "-p",
    `${port}`,
    "-H",
    "127.0.0.1",
    ...args.slice(1),
  ];
  const server = spawn(process.execPath, command, {
    cwd: work,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await new Promise((resolve, reject) => {
      server.stdout.on("data", (text) => /ready/i.test(text) && resolve());
      server.once("exit", (code) => reject(new Error(`next has ended with ${code}`)));
    });
    const address = `http://127.0.0.1:${port}/`;
    await (await fetch(address)).text(); // which takes as long as the page has to be compiled
    return await look(address);
  } finally {
    process.kill(-server.pid, "SIGKILL");
  }
}

const both = `${EXPECTED} ${EXPECTED}`;
for (const [name, ...args] of [["webpack"], ["turbopack", "--turbopack"]]) {
  await test(
    `next, ${name}: built`,
    async () => {
      rmSync(join(work, "next/.next"), { recursive: true, force: true });
      await node([program("next/dist/bin/next"), "build", "next", ...args]);
      return next("start");
    },
    both,
  );
  await test(`next, ${name}: in development`, () => next("dev", ...args), both);
}

// --- runtimes and test environments ---

const bun = (...args) => run(program(".bin/bun"), args, options);
for (const entry of ["plain", "inline"])
  await test(`bun: ${entry}`, async () => lastLine(await bun(`app/${entry}.js`)));
for (const entry of ["plain", "inline"])
  await test(
    `bun build: a program of one file, ${entry}`,
    async () => {
      const file = join(out, `bun-${entry}`);
      await bun("build", "--compile", "--outfile", file, `app/${entry}.js`);
      return (await run(file, [], { ...options, cwd: "/" })).stdout.trim();
    },
    entry === "plain" ? /^RibbonError MODULE: .*\n.*ribbonfilter\/inline/ : EXPECTED,
  );
for (const entry of ["plain", "inline"])
  await test(`deno: ${entry}`, async () =>
    lastLine(await run(program(".bin/deno"), ["run", "--allow-read", `app/${entry}.js`], options)));

await test("Cloudflare's workerd", async () => {
  const { Miniflare } = await load("miniflare");
  const external = ["ribbonfilter/ribbon.wasm", "ribbonfilter/ribbon-build.wasm"];
  const directory = await esbuild("cloudflare", { format: "esm", external });
  const contents = readFileSync(join(directory, "main.js"), "utf8");
  const wasm = (path) => readFileSync(program(`ribbonfilter/dist/${path}`));
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "main.js", contents },
      { type: "CompiledWasm", path: external[0], contents: wasm("ribbon.wasm") },
      { type: "CompiledWasm", path: external[1], contents: wasm("ribbon-build.wasm") },
    ],
    compatibilityDate: "2025-01-01",
  });
  try {
    return await (await miniflare.dispatchFetch("http://localhost/")).text();
  } finally {
    await miniflare.dispose();
  }
});

const spec = (imports) => `${imports}
import { check, EXPECTED } from "./check.js";
import { Filter } from "ribbonfilter";
test("all", async () => expect(await check()).toBe(EXPECTED));
test("values of this environment", async () => {
  const keys = [Uint8Array.of(1), Buffer.of(2), new TextEncoder().encode("x"), Uint8Array.of(3).buffer];
  const filter = await Filter.build(keys);
  expect(filter.has(Uint8Array.of(1)) && filter.has(Buffer.of(3)) && filter.has(Uint8Array.of(120))).toBe(true);
  expect((await Filter.build([new Date(0)])).has(new Date(0))).toBe(true);
  expect(await Filter.build(["a"])).toEqual(await Filter.build(["a"]));
  expect(await Filter.build(["a"])).not.toEqual(await Filter.build(["b"]));
});
`;
for (const environment of ["node", "jsdom"]) {
  await test(
    `vitest, ${environment}`,
    async () => {
      writeFileSync(join(work, "app/vitest.test.js"), spec('import { expect, test } from "vitest";'));
      const args = ["run", "--root", "app", "--environment", environment, "--reporter", "tap"];
      return (await node([program("vitest/vitest.mjs"), ...args])).stdout;
    },
    /ok 1 - values of this|ok 2 - values of this/,
  );
}
await test(
  "jest",
  async () => {
    mkdirSync(join(work, "app/__tests__"), { recursive: true });
    writeFileSync(join(work, "app/__tests__/jest.js"), spec("").replaceAll("./check.js", "../check.js"));
    const config = JSON.stringify({ rootDir: join(work, "app"), transform: {}, testMatch: ["**/__tests__/*"] });
    const { stderr } = await node(["--experimental-vm-modules", program("jest/bin/jest.js"), "--config", config]);
    return stderr;
  },
  /Tests: +2 passed/,
);

// --- TypeScript: test_package.mjs has what is compiled ---

await test(
  "TypeScript, from the oldest to the newest",
  async () => {
    const compilers = ["typescript-old", "typescript-5.9", "typescript-new"].map((name) => program(`${name}/bin/tsc`));
    const more = { env: { ...env, TSC: compilers.join(":") } };
    return (await node([join(root, "test/test_package.mjs")], more)).stdout;
  },
  /TypeScript 4\.7\.4(.|\n)*TypeScript 5\.9\.3(.|\n)*TypeScript 7\.0\.2/,
);

process.exit(failed > 0 ? 1 : 0);
