// modules.js - the two WebAssembly modules: where they come from, compiled once
//
// Whatever keeps one from running is a RibbonError of code MODULE that says what to do.

import { cut, isWasmModule } from "./brands.js";
import { RibbonError, checkChoice } from "./errors.js";
import { readSource } from "./source/source.js";

// Bundlers know this form of an address, and put another in its place: so it is taken as it is.
const sources = {
  probe: () => new URL("../dist/ribbon.wasm", import.meta.url),
  build: () => new URL("../dist/ribbon-build.wasm", import.meta.url),
};
const compiled = {};

const HINTS = {
  place:
    'Say import * as inline from "ribbonfilter/inline", and setModules(inline); docs/bundlers.md has a way for each ' +
    "bundler.",
  none: "React Native, and browsers that are locked down, have none: let a server answer.",
  policy:
    "Add 'wasm-unsafe-eval' to script-src of the page's content security policy. On an edge runtime, import " +
    "ribbonfilter/ribbon.wasm, and pass it to setModules: docs/bundlers.md.",
  features: "It takes Chrome 93, Firefox 92, Safari 16.4, Node.js 18, or later.",
  other: "Are it and the package of one version?",
};

function moduleError(name, message, hint, cause) {
  return new RibbonError("MODULE", `cannot run the WebAssembly module "${name}": ${message}`, { hint, cause });
}

// Take modules from elsewhere: as a WebAssembly.Module, what Filter.open takes, or a function that gives one of
// these.  To be called before anything else, where a bundler or a worker wants it so.
export function setModules(modules) {
  for (const [name, source] of Object.entries(modules ?? {})) {
    if (name === "default" || name === "__esModule") continue; // of a namespace
    checkChoice("module", name, Object.keys(sources));
    sources[name] = typeof source === "function" ? source : () => source;
    delete compiled[name];
  }
}

async function sourceOf(name) {
  const source = await sources[name]();
  return isWasmModule(source?.default) ? source.default : source; // where import() of a module gives it
}

async function bytesOf(name, source) {
  let bytes;
  try {
    bytes = await readSource(source);
  } catch (error) {
    throw moduleError(name, error.message, HINTS.place, error);
  }
  if (bytes.subarray(0, 4).join() === "0,97,115,109") return bytes;
  const start = String.fromCharCode(...bytes.subarray(0, 20)).replace(/[^ -~]/g, ".");
  const address = source?.href ?? source;
  const from = typeof address === "string" ? `what comes from ${cut(address)}` : "it";
  throw moduleError(name, `${from} is none, but begins with ${JSON.stringify(start)}`, HINTS.place);
}

async function compile(name) {
  let source;
  try {
    source = await sourceOf(name);
  } catch (error) {
    throw moduleError(name, error.message, HINTS.place, error);
  }
  if (typeof WebAssembly !== "object") throw moduleError(name, "there is no WebAssembly here", HINTS.none);
  if (isWasmModule(source)) return source;
  const bytes = await bytesOf(name, source);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    const refused = /security|\bcsp\b|wasm-eval|unsafe-eval|code generation|not allowed/i.test(error.message);
    throw moduleError(name, error.message, refused ? HINTS.policy : HINTS.features, error);
  }
}

// The compiled module of this name, probe or build.
function getModule(name) {
  const promise = (compiled[name] ??= compile(name));
  promise.catch(() => {
    if (compiled[name] === promise) delete compiled[name]; // so that the next call tries again
  });
  return promise;
}

// What an instance of it exports, of which there is the function wanted.  (A page may not make an
// instance at once, without a promise: browsers refuse that for modules above 4 kB, or 8 MB.)
export async function instantiate(name, wanted, imports = {}) {
  const module = await getModule(name);
  let exports;
  try {
    ({ exports } = await WebAssembly.instantiate(module, imports));
  } catch (error) {
    if (error instanceof RangeError)
      throw new RibbonError("MEMORY", `no memory for WebAssembly: ${error.message}`, { cause: error });
    throw moduleError(name, error.message, HINTS.other, error);
  }
  if (typeof exports?.[wanted] !== "function") throw moduleError(name, "it is another module", HINTS.other);
  return exports;
}
