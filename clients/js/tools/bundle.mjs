// bundle.mjs - the package as one classic script, for pages that are opened from disk
//
// usage: node bundle.mjs OUTPUT
//
// Modules become functions, in the order of their imports; what index.js exports becomes the global
// ribbonfilter.  The WebAssembly modules are in the script, in base64.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const lib = new URL("../lib/", import.meta.url);
const dist = new URL("../dist/", import.meta.url);
const done = new Map();

// What a module calls another one, as a path below lib.
function pathOf(file, name) {
  return new URL(name, new URL(file, lib)).href.slice(lib.href.length);
}

function imports(file, source) {
  return [...source.matchAll(/(?:import|export) \{[^}]*\} from "(\..*?)";/g)].map((match) => pathOf(file, match[1]));
}

function names(list) {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

// One module as a function that returns its exports.
function wrap(file, source) {
  const exported = [];
  const body = source
    .replace(/^export \{([^}]*)\} from "(\..*?)";/gm, (_, list, from) => {
      exported.push(...names(list));
      return `const {${list}} = modules["${pathOf(file, from)}"];`;
    })
    .replace(
      /^import \{([^}]*)\} from "(\..*?)";/gm,
      (_, list, from) => `const {${list}} = modules["${pathOf(file, from)}"];`,
    )
    .replace(/^export (async function|function|class|const) (\w+)/gm, (_, kind, name) => {
      exported.push(name);
      return `${kind} ${name}`;
    })
    .replaceAll("import.meta.url", "document.baseURI");
  if (/^(import|export) /m.test(body)) throw new Error(`${file} has an import or export of another form`);
  return `modules["${file}"] = (() => {\n${body}\nreturn { ${exported.join(", ")} };\n})();\n`;
}

function add(file) {
  if (done.has(file)) return;
  done.set(file, null);
  const source = readFileSync(new URL(file, lib), "utf8");
  for (const other of imports(file, source)) add(other);
  done.delete(file);
  done.set(file, wrap(file, source));
}

export function bundle() {
  done.clear();
  add("index.js");
  const base64 = (name) => readFileSync(new URL(name, dist)).toString("base64");
  return `"use strict";
// made by bundle.mjs of clients/js
(() => {
const modules = {};
${[...done.values()].join("")}
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const { setModules } = modules["index.js"];
setModules({
  probe: () => bytes("${base64("ribbon.wasm")}"),
  build: () => bytes("${base64("ribbon-build.wasm")}"),
});
globalThis.ribbonfilter = modules["index.js"];
})();
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2], bundle());
