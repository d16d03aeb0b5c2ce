// testing.mjs - what the tests of clients/js have in common
//
// A test prints a line "ok - ..." or "not ok - ...", as test/run.sh counts them.

import { readFileSync, readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let failed = 0;

export async function test(name, body) {
  try {
    await body();
    console.log(`ok - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok - ${name}`);
    console.log(`${error.stack ?? error}`.replace(/^/gm, "# "));
  }
}

// At exit Node.js waits for a thread that compiles, which may wait for garbage to be collected.  That is not done any
// more (nodejs/node#54918), so it is done now.
export function end() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  process.exit(failed > 0 ? 1 : 0);
}

// The error of this code that body throws.
export async function throwsCode(code, body) {
  let result;
  try {
    result = await body();
  } catch (error) {
    if (error.name !== "RibbonError" || error.code !== code) throw error;
    return error;
  }
  throw new Error(`no error ${code}, but ${String(result)}`);
}

const LIB = new URL("../lib/", import.meta.url);

// The files of lib that end so: [path below lib, source].
export function sources(end, folder = LIB) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return sources(end, new URL(`${entry.name}/`, folder));
    const file = new URL(entry.name, folder);
    return file.href.endsWith(end) ? [[file.href.slice(LIB.href.length), readFileSync(file, "utf8")]] : [];
  });
}

const MASK = (1n << 64n) - 1n;

// ribbon_mix of src/core/base/hash.h.
export function mix(z) {
  z ^= z >> 33n;
  z = (z * 0xff51afd7ed558ccdn) & MASK;
  z ^= z >> 33n;
  z = (z * 0xc4ceb9fe1a85ec53n) & MASK;
  return z ^ (z >> 33n);
}

export const numbers = (n, from = 0) => Array.from({ length: n }, (_, i) => from + i);

// Numbers below n, the same in every run.
export function randomNumbers(seed) {
  let state = BigInt(seed);
  return (n) => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    return Number(((mix(state) >> 32n) * BigInt(n)) >> 32n);
  };
}

export const hex = (bytes) => Buffer.from(bytes).toString("hex");
export const unhex = (text) => new Uint8Array(Buffer.from(text, "hex"));
