// test_tarball.mjs - the package as npm packs it, in a project that has nothing else
//
// Without npm, nothing of it.

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { end, sources, test } from "./testing.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

function run(program, args, cwd) {
  const env = { ...process.env, npm_config_update_notifier: "false" };
  return spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 90000 });
}

if (run("npm", ["--version"], root).status !== 0) {
  console.log("ok - skipped: there is no npm");
  end();
}
const folder = mkdtempSync(join(tmpdir(), "ribbon-tarball-"));
const project = join(folder, "project");
mkdirSync(project);

await test("npm pack takes the modules, the types and the licence along", () => {
  const { status, stdout, stderr } = run("npm", ["pack", "--json", "--pack-destination", folder], root);
  assert.strictEqual(status, 0, stderr);
  const packed = JSON.parse(stdout);
  const { files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  const names = files.map(({ path }) => path);
  for (const name of ["LICENSE", "README.md", "dist/ribbon.wasm", "dist/ribbon-build.wasm", "dist/inline.js"])
    assert.ok(names.includes(name), name);
  for (const [name] of sources("s")) assert.ok(names.includes(`lib/${name}`), name);
  assert.ok(!names.some((name) => /^(src|test|tools|bench)/.test(name)));
});

await test("npm pack fails where the modules cannot be made", () => {
  const copy = join(folder, "alone/clients/js");
  mkdirSync(copy, { recursive: true });
  for (const name of ["package.json", "README.md", "lib", "tools"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  const { status, stderr } = run("npm", ["pack"], copy);
  assert.notStrictEqual(status, 0);
  assert.match(stderr, /the WebAssembly modules cannot be made; make js/);
});

await test("it is installed without a network, a dependency or a script", () => {
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const { status, stderr } = run(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", join(folder, archive)],
    project,
  );
  assert.strictEqual(status, 0, stderr);
  assert.deepStrictEqual(
    readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")),
    ["ribbonfilter"],
  );
});

await test("node --test of a project", () => {
  writeFileSync(
    join(project, "filter.test.mjs"),
    `import assert from "node:assert";
    import test from "node:test";
    import { Filter, RibbonMap } from "ribbonfilter";
    import * as inline from "ribbonfilter/inline";
    test("all", async () => {
      const filter = await Filter.build(["a"]);
      assert.ok(filter.has("a") && (await filter.check()));
      assert.strictEqual((await RibbonMap.build([["a", 1]])).get("a"), 1);
      for (const name of ["probe", "build"]) await WebAssembly.compile(inline[name]());
      await assert.rejects(import("ribbonfilter/lib/filter.js"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
    });`,
  );
  const { status, stdout } = run(process.execPath, ["--test", "--test-reporter", "tap"], project);
  assert.strictEqual(status, 0, stdout);
  assert.match(stdout, /# pass 1/);
});

await test("a program of CommonJS", () => {
  const ask = `.then(({ Filter }) => Filter.build(["a"])).then((filter) => console.log(filter.has("a")));`;
  const ways = [`import("ribbonfilter")${ask}`];
  if (process.features.require_module) ways.push(`Promise.resolve(require("ribbonfilter"))${ask}`);
  for (const code of ways) {
    const { stdout, stderr } = run(
      process.execPath,
      ["--no-warnings", "--input-type=commonjs", "--eval", code],
      project,
    );
    assert.strictEqual(stdout, "true\n", stderr);
  }
});

rmSync(folder, { recursive: true });
end();
