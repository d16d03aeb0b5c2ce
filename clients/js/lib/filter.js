// filter.js - Filter and RibbonMap: bytes that are in memory

import { asBytes, quote, typedArrayName } from "./brands.js";
import { buildFilter, checkBytes, shrinkBytes } from "./build.js";
import { KEY_CLASSES } from "./classes.js";
import { Held, abandoned, engineFor } from "./engine.js";
import { RibbonError } from "./errors.js";
import { checkSeed } from "./hashes.js";
import { canonicalForm } from "./keys.js";
import { keyList } from "./lists.js";
import { putBytes } from "./memory.js";
import { buildExact, buildMap } from "./records.js";
import { RemoteFilter, RemoteMap } from "./remote.js";
import { readSource } from "./source.js";
import { Described, checkKind, isUntyped } from "./stats.js";
import { valueReader } from "./values.js";
import { Piece } from "./write.js";

const CHUNK_KEYS = 4096;
const CHUNK_BYTES = 1 << 19;

function refuseClosed() {
  throw new RibbonError("CLOSED", "it has been closed");
}

// What a filter and a map have in common.
class Opened extends Described {
  #engine;
  #held;
  #at;
  #about;

  constructor(held, about) {
    if (!(held instanceof Held))
      throw new RibbonError("OPTION", `a ${new.target.name} is made with ${new.target.name}.open or .build`);
    super();
    this.#engine = held.engine;
    this.#held = held;
    this.#at = held.blocks[0];
    this.#about = about;
    abandoned.register(this, held, this);
    // what structuredClone and postMessage take along, and comparisons of objects look at
    Object.defineProperty(this, "bytes", { enumerable: true, get: () => this.toBytes() });
  }

  static async open(source, options) {
    const look = async (bytes) => {
      try {
        (await this.fromBytes(bytes)).close();
      } catch (error) {
        if (error.code !== "TRUNCATED") throw error; // and there may be more of it
      }
    };
    return this.fromBytes(await readSource(source, options, look));
  }

  // The same of bytes: they are copied.
  static async fromBytes(source) {
    const bytes = asBytes(source);
    if (!bytes) throw new RibbonError("OPTION", `${quote(source)} is no Uint8Array`);
    if (bytes.length === 0) throw new RibbonError("TRUNCATED", "the value ends too early");
    const engine = await engineFor(bytes.length);
    const { length } = bytes;
    const at = engine.alloc(length);
    const held = new Held(engine, at, 0);
    try {
      putBytes(engine.u8.subarray(at, at + length), bytes, 0, "OPTION");
      const about = engine.open(at, length);
      held.blocks[1] = about.opened;
      const result = new this(held, about);
      result.prepare();
      return result;
    } catch (error) {
      held.free();
      throw error;
    }
  }

  // Free its memory now, and not when nobody refers to it any more.
  close() {
    abandoned.unregister(this);
    this.#held.free();
  }

  get about() {
    if (this.#held.isFree) refuseClosed();
    return this.#about;
  }

  toString() {
    return this.#held.isFree ? `${this.constructor.name}, closed` : super.toString();
  }

  // A copy of its bytes: what the server has in a column, or a file.
  toBytes() {
    const { bytes } = this.about;
    return this.#engine.u8.slice(this.#at, this.#at + bytes);
  }

  bytesAt(at, length) {
    return this.#engine.u8.slice(this.#at + at, this.#at + at + length);
  }

  // Check all bytes, as ribbon_check does; true, or an error.
  async check() {
    return checkBytes(this.toBytes());
  }

  // Is the key there?  If so, lastCode is that of its value.
  find(key) {
    const { about } = this;
    if (isUntyped(about)) return false;
    const { opened, keyClass } = about;
    const engine = this.#engine;
    const number = keyClass & 31;
    if (number === KEY_CLASSES.text && typeof key === "string") {
      const found = engine.probeAscii(opened, key);
      if (found !== undefined) return found;
    } else if (number === KEY_CLASSES.integer && Number.isSafeInteger(key)) return engine.probeInteger(opened, key);
    checkSeed(about);
    const form = canonicalForm(key, number);
    if (this.#held.isFree) refuseClosed(); // the key's own code may close it
    return engine.probe(opened, form, number === KEY_CLASSES.hash);
  }

  get lastCode() {
    return this.#engine.getCode();
  }

  // The same for many keys, in pieces: report(first, n, found, codes) is told where in memory the
  // bytes and words are that say of keys first .. first + n - 1 whether they are there, and their codes.
  findMany(keys, report) {
    const number = this.about.keyClass & 31;
    if (isUntyped(this.about)) return;
    if (typedArrayName(keys) === "BigInt64Array" && number === KEY_CLASSES.integer) this.#findWords(keys, report);
    else if (number === KEY_CLASSES.hash) this.#findHashes(keys, report);
    else this.#findKeys(keys, number, report);
  }

  // Room for so many keys of so many bytes: bytes, then codes, ends and found.
  #withRoom(n, nbytes, ask) {
    const codes = 8 * Math.ceil(nbytes / 8);
    this.#engine.withMemory(codes + 13 * n + 8, (at) => ask(at, at + codes, at + codes + 8 * n, at + codes + 12 * n));
  }

  #findHashes(keys, report) {
    const engine = this.#engine;
    for (let i = 0, n = keys.length; i < n; i++) {
      engine.u8[engine.scratch] = +this.find(keys[i]);
      report(engine, i, 1, engine.scratch, engine.code);
    }
  }

  #findWords(keys, report) {
    const engine = this.#engine;
    for (let first = 0; first < keys.length; first += CHUNK_KEYS) {
      const n = Math.min(CHUNK_KEYS, keys.length - first);
      this.#withRoom(n, 8 * n, (at, codes, ends, found) => {
        new BigInt64Array(engine.u8.buffer, at, n).set(keys.subarray(first, first + n));
        engine.exports.probe_words(this.about.opened, at, n, found, codes);
        report(engine, first, n, found, codes);
      });
    }
  }

  #findKeys(keys, number, report) {
    const { length } = keys; // which a key that is read may change
    const piece = new Piece(CHUNK_KEYS, CHUNK_BYTES);
    for (let i = 0; i < length; i++) {
      piece.add(keys[i], number);
      if (piece.isFull || i === length - 1) this.#findPiece(piece, i + 1 - piece.length, report);
    }
  }

  #findPiece(piece, first, report) {
    const engine = this.#engine;
    const n = piece.length;
    this.#withRoom(n, piece.bytes, (at, codes, ends, found) => {
      piece.write(engine, at, ends);
      engine.exports.probe_keys(this.about.opened, at, ends, n, found, codes);
      report(engine, first, n, found, codes);
    });
  }
}

// A filter: is this key in the set?  No means no; yes is wrong for non-members at the rate fpr.
export class Filter extends Opened {
  static name = "Filter"; // which minifiers leave

  static async build(keys, options) {
    return Filter.fromBytes(await buildFilter(keys, options));
  }

  // An exact set: no wrong answer for any of these keys, members or others.
  static async buildExact(members, others, options) {
    return Filter.fromBytes(await buildExact(members, others, options));
  }

  // A filter on a server, which stays there: questions ask for a few bytes of it.
  static async openRemote(url, options) {
    return RemoteFilter.open(url, options);
  }

  prepare() {
    checkKind(this.about, false, "open");
  }

  has(key) {
    return this.find(key);
  }

  // A byte for each key: 1 if it is in the set.
  hasMany(keys) {
    const list = keyList(keys);
    const answers = new Uint8Array(list.length);
    this.findMany(list, ({ u8 }, first, n, found) => answers.set(u8.subarray(found, found + n), first));
    return answers;
  }

  // A smaller filter of the same keys, at a higher rate.
  async shrink(fpr) {
    return Filter.fromBytes(await shrinkBytes(this.toBytes(), fpr));
  }
}

// A map: the value that a key was built with; undefined for keys that are surely not in it.
export class RibbonMap extends Opened {
  static name = "RibbonMap";
  #read;

  static async build(entries, options) {
    return RibbonMap.fromBytes(await buildMap(entries, options));
  }

  static async openRemote(url, options) {
    return RemoteMap.open(url, options);
  }

  prepare() {
    const { about } = this;
    checkKind(about, true, "open");
    this.#read = valueReader(about, this.bytesAt(about.dictionaryAt, about.dictionaryBytes));
  }

  get valueType() {
    return this.#read.type;
  }

  async check() {
    await super.check();
    this.#read.check?.();
    return true;
  }

  get(key) {
    return this.find(key) ? this.#read(this.lastCode) : undefined;
  }

  has(key) {
    return this.get(key) !== undefined;
  }

  // The values of many keys, undefined for those that are not there.
  getMany(keys) {
    const list = keyList(keys);
    const values = new Array(list.length).fill(undefined);
    this.findMany(list, ({ u8, view }, first, n, found, codes) => {
      for (let i = 0; i < n; i++)
        if (u8[found + i]) values[first + i] = this.#read(view.getBigUint64(codes + 8 * i, true));
    });
    return values;
  }
}
