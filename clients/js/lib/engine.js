// engine.js - an instance of the probing module
//
// Small filters share an instance.  A large one has its own, for the memory of an instance never
// becomes smaller.

import { checkStatus } from "./errors.js";
import { Memory, putBytes } from "./memory.js";
import { instantiate } from "./modules.js";

const LARGE = 1 << 20; // bytes
const SCRATCH = 1 << 16;
// The struct About of src/exports.h, member by member.
export const ABOUT = [
  ["keys", "getBigUint64"],
  ["bytes", "getBigUint64"],
  ["base", "getBigInt64"],
  ["dictionaryAt", "getBigUint64"],
  ["dictionaryBytes", "getBigUint64"],
  ["fpr", "getFloat64"],
  ["keyClass", "getBigUint64"],
  ["isMap", "getBigUint64"],
  ["hasNull", "getBigUint64"],
  ["valueClass", "getBigUint64"],
  ["valueBits", "getBigUint64"],
  ["seed", "getBigUint64"],
  ["kind", "getBigUint64"],
  ["width", "getBigUint64"],
  ["layers", "getBigUint64"],
  ["slots", "getBigUint64"],
  ["emptySlots", "getBigUint64"],
  ["bumpedKeys", "getBigUint64"],
  ["universe", "getBigUint64"],
  ["hasAsOf", "getBigUint64"],
  ["asOf", "getBigInt64"],
  ["coding", "getBigUint64"],
  ["hasRate", "getBigUint64"],
  ["codeBits", "getBigUint64"],
  ["codedValues", "getBigUint64"],
  ["tableBytes", "getBigUint64"],
  ["formatVersion", "getBigUint64"],
];

export class Engine extends Memory {
  #slices = null; // (at, length) => bytes or undefined, of the remote filter that is being asked

  static async create() {
    const engine = new Engine();
    const env = { fetch: (at, length, to) => engine.#fetch(at, length, to >>> 0) };
    engine.exports = await instantiate("probe", "open", { env });
    engine.scratch = engine.alloc(SCRATCH);
    engine.scratchBytes = SCRATCH;
    engine.code = engine.alloc(8);
    return engine;
  }

  // Call ask with so many bytes of memory.
  withMemory(size, ask) {
    if (size <= this.scratchBytes) return ask(this.scratch);
    const at = this.alloc(size);
    try {
      return ask(at);
    } finally {
      this.free(at);
    }
  }

  // Open bytes at an address; or, at 0, remote ones.  The caller frees opened.
  open(at, nbytes) {
    const out = this.scratch;
    checkStatus(this.exports.open(at, nbytes, out, out + 8));
    const about = { opened: this.view.getUint32(out, true) };
    ABOUT.forEach(([name, get], i) => {
      about[name] = this.view[get](out + 8 + 8 * i, true);
      if (get === "getBigUint64") about[name] = Number(about[name]);
    });
    return about;
  }

  // Ask while slices of a remote filter come from read; returns those that it did not have.
  withSlices(read, ask) {
    const missing = [];
    this.#slices = (at, length) => {
      const bytes = read(at, length);
      if (bytes === undefined) missing.push([at, length]);
      return bytes;
    };
    try {
      ask();
    } finally {
      this.#slices = null;
    }
    return missing;
  }

  #fetch(at, length, to) {
    const bytes = this.#slices(at, length);
    if (bytes === undefined) this.u8.fill(0, to, to + length);
    else this.u8.set(bytes, to);
  }

  getCode() {
    return this.view.getBigUint64(this.code, true);
  }

  // Is a key in canonical form there?  Its code is then getCode().
  probe(opened, form, isHash) {
    const { exports } = this;
    if (typeof form === "bigint")
      return (isHash ? exports.probe_hash : exports.probe_word)(opened, form, this.code) !== 0;
    const { length } = form;
    return this.withMemory(length, (at) => {
      putBytes(this.u8.subarray(at, at + length), form);
      return exports.probe_bytes(opened, at, length, this.code) !== 0;
    });
  }

  // The same for an integer that a number holds exactly.
  probeInteger(opened, key) {
    return this.exports.probe_integer(opened, key, this.code) !== 0;
  }

  // The same for a text, if all is ASCII, and it is short and without a character 0; else undefined.
  probeAscii(opened, text) {
    const { u8, scratch } = this;
    const n = text.length;
    if (n > 64) return undefined;
    for (let i = 0; i < n; i++) {
      const c = text.charCodeAt(i);
      if (c > 127 || c === 0) return undefined;
      u8[scratch + i] = c;
    }
    return this.exports.probe_bytes(opened, scratch, n, this.code) !== 0;
  }

  hash(form, seed) {
    if (typeof form === "bigint") {
      this.view.setBigUint64(this.scratch, form, true);
      return BigInt.asUintN(64, this.exports.hash(this.scratch, 8, seed));
    }
    return this.withMemory(form.length, (at) => {
      this.u8.set(form, at);
      return BigInt.asUintN(64, this.exports.hash(at, form.length, seed));
    });
  }
}

let shared;

export async function engineFor(nbytes) {
  if (nbytes >= LARGE) return Engine.create();
  const promise = (shared ??= Engine.create());
  try {
    return await promise;
  } catch (error) {
    if (shared === promise) shared = undefined; // so that the next call tries again
    throw error;
  }
}
