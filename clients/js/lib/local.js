// local.js - filters and maps whose bytes are in memory

import { asBytes, quote, typedArrayName } from "./brands.js";
import { KEY_CLASSES, checkSeed, withoutParts } from "./classes.js";
import { engineFor } from "./engine.js";
import { RibbonError } from "./errors.js";
import { canonicalForm } from "./keys.js";
import { Lookup, checkKind, isUntyped, reportOne } from "./lookup.js";
import { putBytes } from "./memory.js";
import { valueReader } from "./values.js";
import { Piece } from "./write.js";

const CHUNK_KEYS = 4096;
const CHUNK_BYTES = 1 << 19;

export class Local extends Lookup {
  #at;

  constructor(engine, at, about) {
    super(engine, at, about);
    this.#at = at;
  }

  // Of bytes, which are copied: as a map, or as a filter.
  static async open(source, isMap) {
    const bytes = asBytes(source);
    if (!bytes) throw new RibbonError("OPTION", `${quote(source)} is no Uint8Array`);
    if (bytes.length === 0) throw new RibbonError("TRUNCATED", "the value ends too early");
    const engine = await engineFor(bytes.length);
    const { length } = bytes;
    const at = engine.alloc(length);
    let about;
    try {
      putBytes(engine.u8.subarray(at, at + length), bytes, 0, "OPTION");
      about = engine.open(at, length);
    } catch (error) {
      engine.free(at);
      throw error;
    }
    const local = new Local(engine, at, about);
    return local.orClose(() => {
      checkKind(about, isMap, "open");
      if (isMap) local.read = valueReader(about, local.slice(about.dictionaryAt, about.dictionaryBytes));
      return local;
    });
  }

  // A copy of some of its bytes.
  slice(first, length) {
    return this.engine.u8.slice(this.#at + first, this.#at + first + length);
  }

  // Is the key there?  If so, engine.getCode() is its value's.
  find(key) {
    const { about, engine } = this;
    if (isUntyped(about)) return false;
    const { opened, keyClass } = about;
    const number = withoutParts(keyClass);
    if (number === KEY_CLASSES.text && typeof key === "string") {
      const found = engine.probeAscii(opened, key);
      if (found !== undefined) return found;
    } else if (number === KEY_CLASSES.integer && Number.isSafeInteger(key)) return engine.probeInteger(opened, key);
    checkSeed(about);
    const form = canonicalForm(key, number);
    return engine.probe(this.about.opened, form, number === KEY_CLASSES.hash); // the key's own code may close it
  }

  findMany(keys, report) {
    const number = withoutParts(this.about.keyClass);
    if (isUntyped(this.about)) return;
    if (typedArrayName(keys) === "BigInt64Array" && number === KEY_CLASSES.integer) this.#findWords(keys, report);
    else if (number === KEY_CLASSES.hash) this.#findHashes(keys, report);
    else this.#findKeys(keys, number, report);
  }

  // Room for so many keys of so many bytes: bytes, then codes, ends and found.
  #withRoom(n, nbytes, ask) {
    const codes = 8 * Math.ceil(nbytes / 8);
    this.engine.withMemory(codes + 13 * n + 8, (at) => ask(at, at + codes, at + codes + 8 * n, at + codes + 12 * n));
  }

  #findHashes(keys, report) {
    for (let i = 0, n = keys.length; i < n; i++) reportOne(report, this.engine, i, this.find(keys[i]));
  }

  #findWords(keys, report) {
    const { engine } = this;
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
    const { engine } = this;
    const n = piece.length;
    this.#withRoom(n, piece.bytes, (at, codes, ends, found) => {
      piece.write(engine, at, ends);
      engine.exports.probe_keys(this.about.opened, at, ends, n, found, codes);
      report(engine, first, n, found, codes);
    });
  }
}
