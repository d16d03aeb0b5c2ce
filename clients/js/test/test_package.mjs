// test_package.mjs - the package: sizes of its modules, its files, its types

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { end, sources, test } from "./testing.mjs";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root)));

await test("the probing module has at most 60 kB, 20 kB compressed", async () => {
  const module = readFileSync(new URL("dist/ribbon.wasm", root));
  const compressed = gzipSync(module, { level: 9 });
  console.log(`# ${module.length} bytes, ${compressed.length} compressed`);
  assert.ok(module.length <= 60000 && compressed.length <= 20000);
});

await test("a module asks for nothing but slices", async () => {
  for (const [name, wanted] of [
    ["ribbon", ["env.fetch"]],
    ["ribbon-build", []],
  ]) {
    const module = new WebAssembly.Module(readFileSync(new URL(`dist/${name}.wasm`, root)));
    assert.deepStrictEqual(
      WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name}`),
      wanted,
    );
  }
});

await test("statuses of the core are those that there are messages for", async () => {
  const header = readFileSync(new URL("../../src/core/ribbon_core.h", root), "utf8");
  const [, body] = /typedef enum RibbonStatus\s*\{(.*?)RIBBON_NSTATUS/s.exec(header);
  const all = body.replace(/\/\*.*?\*\//gs, "").match(/(?<=RIBBON_)\w+/g);
  const { STATUSES } = await import("../lib/errors.js");
  // the others are of the values of a map that is to be built, which the modules do not know
  assert.deepStrictEqual(Object.keys(STATUSES), all.slice(0, all.indexOf("TOO_MANY_TEXTS")));

  const source = readFileSync(new URL("../../src/core/base/status.c", root), "utf8");
  const texts = Object.fromEntries(
    [...source.matchAll(/\[RIBBON_(\w+)\] =\s*"(.*)",/g)].map(([, name, text]) => [name, text]),
  );
  for (const [name, status] of Object.entries(STATUSES))
    if (status !== null) assert.strictEqual(status[1], texts[name], name);
});

await test("no dependency, and every file that is named is there", async () => {
  assert.ok(!("dependencies" in manifest));
  assert.deepStrictEqual(Object.keys(manifest.scripts), ["prepack"]); // nothing runs where it is installed
  for (const entry of Object.values(manifest.exports))
    for (const path of typeof entry === "string" ? [entry] : Object.values(entry))
      assert.ok(existsSync(new URL(path, root)), path);
  for (const [file, source] of sources("s"))
    for (const [, from] of source.matchAll(/^(?:import|export|\}).* from "(.*?)";$/gm))
      assert.match(from, /^\.\.?\//, `${file} imports ${from}`);
});

// webpack 5.0 leaves such names as they are, and a bundle knows none of them.
await test("no field of a class is set, beside its name, to what is imported", async () => {
  for (const [file, source] of sources("s")) {
    const imported = [...source.matchAll(/^import \{(.*?)\}/gms)].flatMap(([, names]) => names.match(/\w+/g));
    for (const [, name, value] of source.matchAll(/^  (?:static )?(#\w+) = (.*);/gm))
      for (const word of value.match(/\w+/g) ?? []) assert.ok(!imported.includes(word), `${file}: ${name} = ${value}`);
  }
});

await test("classes say their names where a minifier has given them others", async () => {
  const classes = await import("../lib/index.js");
  for (const name of ["Filter", "RibbonMap", "RemoteFilter", "RemoteMap"])
    assert.strictEqual(Object.getOwnPropertyDescriptor(classes[name], "name").writable, true, name); // set by itself
});

await test("everything that is exported has a type, and the other way round", async () => {
  const types = readFileSync(new URL("lib/index.d.ts", root), "utf8");
  const names = Object.keys(await import("../lib/index.js"));
  for (const name of names) assert.match(types, new RegExp(`export (class|const|function) ${name}\\b`));
  for (const [, name] of types.matchAll(/export (?:class|const|function) (\w+)/g))
    assert.ok(names.includes(name), name);
});

// The names of a class in index.d.ts, and of those that it extends.
function declaredNames(types, name) {
  const [, base, body] = new RegExp(`class ${name}(?:<.*?>)?(?: extends (\\w+))? \\{(.*?)^\\}`, "ms").exec(types);
  const names = [...body.matchAll(/^  (?:static |readonly )*(\w+)\??(?=[(<:])/gm)].map((match) => match[1]);
  return base === undefined ? names : [...names, ...declaredNames(types, base)];
}

// What can be reached of an object: names of its own, and of those that it inherits from, but for the language's.
function reachedNames(object) {
  const names = [];
  for (let at = object; ![Object, Function].some(({ prototype }) => at === prototype); at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at).filter((name) => typeof at !== "function" || !(name in Function)));
  return names;
}

await test("what can be reached of a class has a type", async () => {
  const types = readFileSync(new URL("lib/index.d.ts", root), "utf8");
  const { Chain, Filter, Key, RemoteFilter, RemoteMap, RibbonMap } = await import("../lib/index.js");
  const set = await Filter.buildExact([1], [2]);
  const made = [set, await RibbonMap.build([[1, 2]]), new Chain([set]), new Key(1, "oid")];
  for (const [name, type] of Object.entries({ Chain, Filter, Key, RemoteFilter, RemoteMap, RibbonMap })) {
    const one = made.find((object) => object.constructor === type) ?? type.prototype;
    const known = [...declaredNames(types, name), "constructor", "__v_skip"]; // which Vue asks for
    const others = [...reachedNames(one), ...reachedNames(type)].filter((reached) => !known.includes(reached));
    assert.deepStrictEqual(others, [], name);
  }
});

// The TypeScript compiler that there is, and those of a list in TSC.
const compilers = ["tsc", ...(process.env.TSC ?? "").split(":")].filter(
  (tsc) => tsc !== "" && spawnSync(tsc, ["--version"], { timeout: 20000 }).status === 0,
);
if (compilers.length === 0) console.log("# skipped types: there is no TypeScript compiler (Debian's node-typescript)");
for (const tsc of compilers) {
  const [version] = /\d[\d.]*/.exec(spawnSync(tsc, ["--version"], { encoding: "utf8" }).stdout);
  for (const [file, libraries] of [
    ["types.mts", "es2022,dom"],
    ["types.mts", "es2022,dom,dom.iterable"],
    ["types_bare.mts", "es2022"],
  ])
    await test(`TypeScript ${version}, ${libraries}: the types compile, and refuse what is wrong`, async () => {
      const options = "--noEmit --strict --exactOptionalPropertyTypes --target es2022 --module node16 --lib".split(" ");
      const args = [...options, libraries, fileURLToPath(new URL(`test/${file}`, root))];
      // from where no types of others are above it
      const { status, stdout } = spawnSync(tsc, args, { cwd: fileURLToPath(root), timeout: 60000, encoding: "utf8" });
      assert.strictEqual(status, 0, stdout);
    });
}

end();
