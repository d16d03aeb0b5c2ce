// modules.js - the two WebAssembly modules: where they come from, compiled once

import { RibbonError } from "./errors.js";

const sources = {
  probe: () => new URL("../dist/ribbon.wasm", import.meta.url),
  build: () => new URL("../dist/ribbon-build.wasm", import.meta.url),
};
const compiled = {};

// Take modules from elsewhere: as a WebAssembly.Module, bytes, a URL or a function that gives one
// of these.  To be called before anything else, where a bundler or a worker wants it so.
export function setModules(modules) {
  for (const [name, source] of Object.entries(modules)) {
    if (!Object.hasOwn(sources, name))
      throw new RibbonError("OPTION", `unknown module ${JSON.stringify(name)}`, { hint: "There are probe and build." });
    sources[name] = typeof source === "function" ? source : () => source;
    delete compiled[name];
  }
}

export const isNode = typeof process === "object" && typeof process.versions?.node === "string";

// A file's bytes; the specifier is hidden from bundlers for browsers.
export async function readFile(path) {
  const specifier = "node:fs/promises";
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
  return readFile(path);
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source, import.meta.url);
  if (isNode && url.protocol === "file:") return WebAssembly.compile(await readFile(url));
  const response = await fetch(url);
  if (!response.ok)
    throw new RibbonError("FILE", `cannot fetch ${url}: status ${response.status}`, {
      hint: "setModules says where the modules are.",
    });
  return WebAssembly.compile(await response.arrayBuffer());
}

// The compiled module of this name, probe or build.
export function getModule(name) {
  compiled[name] ??= Promise.resolve(sources[name]()).then(compile);
  compiled[name].catch(() => delete compiled[name]); // so that the next call tries again
  return compiled[name];
}
