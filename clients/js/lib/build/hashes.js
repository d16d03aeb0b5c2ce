// hashes.js - keys that are to be built from: their class, and their hashes in a builder's memory

import { typedArrayName } from "../brands.js";
import { KEY_CLASSES, classNumber, withoutParts } from "../classes.js";
import { RibbonError } from "../errors.js";
import { canonicalForm, classOfValue } from "../keys.js";
import { Piece } from "../write.js";

const CHUNK_KEYS = 1 << 16;
const CHUNK_BYTES = 1 << 22;
const FIRST_WITH_PARTS = KEY_CLASSES.array;
const LAST_WITH_PARTS = KEY_CLASSES.row;

// Hashes of keys, to every stride'th word of memory that is allocated for them.
export class Hashes {
  #builder;
  #seed;
  #stride;
  #hash;
  #at;
  #room;
  #piece;
  n = 0;

  constructor(builder, expected, stride, seed = 0) {
    this.#builder = builder;
    this.#piece = new Piece(CHUNK_KEYS, CHUNK_BYTES); // not above, where webpack 5.0 finds no name of a module
    this.#seed = seed;
    this.#stride = stride;
    this.#hash = (from, ends, n, to) => builder.exports.hash_keys(from, ends, n, seed, to, stride);
    this.#room = Math.max(expected, 1024);
    this.#at = builder.alloc(8 * stride * this.#room);
  }

  add(key, number) {
    this.#piece.add(key, number);
    if (this.#piece.isFull) this.#flush();
  }

  // Hash what is added from now on by another function.
  hashWith(hash) {
    this.#flush();
    this.#hash = hash;
  }

  // Hashes that need no hashing.
  addHashes(words) {
    this.#flush();
    const to = this.#reserve(words.length);
    const { view } = this.#builder;
    for (let i = 0; i < words.length; i++) view.setBigUint64(to + 8 * this.#stride * i, words[i], true);
    this.n += words.length;
  }

  addWords(words) {
    this.#flush();
    for (let first = 0; first < words.length; first += CHUNK_KEYS) {
      const part = words.subarray(first, first + CHUNK_KEYS);
      const to = this.#reserve(part.length);
      const from = this.#builder.alloc(part.byteLength);
      new BigInt64Array(this.#builder.u8.buffer, from, part.length).set(part);
      this.#builder.exports.hash_words(from, part.length, this.#seed, to, this.#stride);
      this.#builder.free(from);
      this.n += part.length;
    }
  }

  end() {
    this.#flush();
    return this.#at;
  }

  #reserve(more) {
    if (this.n + more > this.#room) {
      const room = Math.max(2 * this.#room, this.n + more);
      const at = this.#builder.alloc(8 * this.#stride * room);
      this.#builder.u8.copyWithin(at, this.#at, this.#at + 8 * this.#stride * this.n);
      this.#builder.free(this.#at);
      this.#at = at;
      this.#room = room;
    }
    return this.#at + 8 * this.#stride * this.n;
  }

  #flush() {
    const n = this.#piece.length;
    if (n === 0) return;
    const to = this.#reserve(n);
    const ends = this.#builder.alloc(4 * n + this.#piece.bytes);
    this.#piece.write(this.#builder, ends + 4 * n, ends);
    this.#hash(ends + 4 * n, ends, n, to);
    this.#builder.free(ends);
    this.n += n;
  }
}

// The class of all keys: that of the option, or of the first key.
export function classOfKeys(option, first) {
  if (option === undefined && first === null)
    throw new RibbonError("OPTION", "there is no key, and so no class of keys", {
      hint: 'Say which one, as in { key: "text" }.',
    });
  const number = option !== undefined ? classNumber(option) : classOfValue(first);
  if (number >= FIRST_WITH_PARTS && number <= LAST_WITH_PARTS)
    throw new RibbonError("KEY_TYPE", "filters of arrays, ranges and rows are built by the server", {
      hint: "They can be opened and asked here.",
    });
  return number;
}

function checkClass(key, number) {
  if (classOfValue(key) === number) return;
  throw new RibbonError("KEY_TYPE", "the keys are not all of one class", {
    hint: 'Say which one, as in { key: "text" }.',
  });
}

export function addKeys(hashes, keys, number, explicit) {
  if (typedArrayName(keys) === "BigInt64Array" && number === KEY_CLASSES.integer) hashes.addWords(keys);
  else if (number === KEY_CLASSES.hash) {
    const isWords = typedArrayName(keys) === "BigUint64Array";
    const present = isWords ? keys : Array.from(keys).filter((key) => key !== null);
    hashes.addHashes(isWords ? keys : present.map((key) => canonicalForm(key, number)));
  } else
    for (const key of keys) {
      if (key === null) continue;
      if (!explicit) checkClass(key, number);
      hashes.add(key, number);
    }
}

// The first key; null if there is none.
export function firstOf(keys) {
  for (const key of keys) if (key !== null) return key;
  return null;
}
