// build.js - what takes the second module: to build, to check, to shrink

import { isNameOf, quote, typedArrayName } from "./brands.js";
import { KEY_CLASSES } from "./classes.js";
import { RibbonError, checkStatus } from "./errors.js";
import { canonicalForm, classNumber, classOfValue, formToWrite, isKeys, keyText, roomFor, writeForms } from "./keys.js";
import { Memory } from "./memory.js";
import { instantiate } from "./modules.js";
import { encodeValues } from "./values.js";

const KINDS = { burr: 0, homogeneous: 1, auto: 2 };
const EXACT = 3;
const CODINGS = { plain: 0, entropy: 1, auto: 2 };
const WIDTHS = [0, 32, 64, 128];
const CHUNK_KEYS = 1 << 16;
const CHUNK_BYTES = 1 << 22;
const FIRST_WITH_PARTS = KEY_CLASSES.array;
const LAST_WITH_PARTS = KEY_CLASSES.row;

// An instance for one build, whose memory is gone with it.
class Builder extends Memory {
  put(bytes) {
    const at = this.alloc(bytes.length);
    this.u8.set(bytes, at);
    return at;
  }

  // The bytes that a call with room for their address and number has made.
  made(call) {
    const out = this.alloc(8);
    checkStatus(call(out));
    const { view } = this;
    const at = view.getUint32(out, true);
    return this.u8.slice(at, at + view.getUint32(out + 4, true));
  }

  // The struct Request of src/build.c.
  request({ fpr = 0, kind = 0, width, keyClass, values, asOf }) {
    const members = {
      kind,
      width,
      keyClass,
      hasValues: values ? 1 : 0,
      valueClass: values?.valueClass ?? 0,
      hasNull: values?.hasNull ? 1 : 0,
      seed: values?.seed ?? 0,
      base: values?.base ?? 0n,
      bits: values?.bits ?? 0,
      dictionary: values?.dictionary ? this.put(values.dictionary) : 0,
      dictionaryBytes: values?.dictionary?.length ?? 0,
      hasAsOf: asOf === undefined ? 0 : 1,
      asOf: asOf ?? 0n,
      coding: values?.coding ?? 0,
    };
    const numbers = Object.values(members);
    const at = this.alloc(8 + 8 * numbers.length);
    this.view.setFloat64(at, fpr, true);
    numbers.forEach((number, i) => this.view.setBigInt64(at + 8 + 8 * i, BigInt(number), true));
    return at;
  }
}

async function newBuilder() {
  const builder = new Builder();
  builder.exports = await instantiate("build", "build");
  return builder;
}

function checkNames(given, names) {
  for (const name of Object.keys(given ?? {}))
    if (!names.includes(name))
      throw new RibbonError("OPTION", `unknown option ${quote(name)}`, {
        hint: `There are ${names.join(", ")}.`,
      });
}

function readOptions(given, others) {
  checkNames(given, ["fpr", "kind", "width", "key", ...others]);
  const options = { fpr: 0.01, kind: "burr", width: 0, ...given };
  checkRate(options.fpr);
  if (!isNameOf(KINDS, options.kind))
    throw new RibbonError("OPTION", `unknown kind ${quote(options.kind)}`, {
      hint: "There are burr, homogeneous, auto.",
    });
  checkWidth(options.width);
  return { ...options, kind: KINDS[options.kind] };
}

function checkRate(fpr) {
  if (typeof fpr !== "number") throw new RibbonError("FPR", "fpr is a number, such as 0.01");
}

function checkWidth(width) {
  if (!WIDTHS.includes(width))
    throw new RibbonError("OPTION", `unknown width ${quote(width)}`, { hint: "There are 32, 64, 128." });
}

// Hashes of keys, to every stride'th word of memory that is allocated for them.
class Hashes {
  #builder;
  #seed;
  #stride;
  #hash;
  #at;
  #room;
  #forms = [];
  #bytes = 0;
  n = 0;

  constructor(builder, expected, stride, seed) {
    this.#builder = builder;
    this.#seed = seed;
    this.#stride = stride;
    this.#hash = (from, ends, n, to) => builder.exports.hash_keys(from, ends, n, seed, to, stride);
    this.#room = Math.max(expected, 1024);
    this.#at = builder.alloc(8 * stride * this.#room);
  }

  add(form) {
    this.#forms.push(form);
    this.#bytes += roomFor(form);
    if (this.#forms.length === CHUNK_KEYS || this.#bytes >= CHUNK_BYTES) this.#flush();
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
    const n = this.#forms.length;
    if (n === 0) return;
    const to = this.#reserve(n);
    const ends = this.#builder.alloc(4 * n + this.#bytes);
    writeForms(this.#builder, this.#forms, ends + 4 * n, ends);
    this.#hash(ends + 4 * n, ends, n, to);
    this.#builder.free(ends);
    this.n += n;
    this.#forms = [];
    this.#bytes = 0;
  }
}

// The class of all keys: that of the option, or of the first key.
function classOfKeys(option, first) {
  if (option === undefined && first === undefined)
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

function sameClass(key, number, explicit) {
  if (!explicit && classOfValue(key) !== number)
    throw new RibbonError("KEY_TYPE", "the keys are not all of one class", {
      hint: 'Say which one, as in { key: "text" }.',
    });
  return formToWrite(key, number);
}

function addKeys(hashes, keys, number, explicit) {
  if (typedArrayName(keys) === "BigInt64Array" && number === KEY_CLASSES.integer) hashes.addWords(keys);
  else if (number === KEY_CLASSES.hash) {
    const words =
      typedArrayName(keys) === "BigUint64Array" ? keys : Array.from(keys, (key) => canonicalForm(key, number));
    hashes.addHashes(words);
  } else for (const key of keys) if (key !== null) hashes.add(sameClass(key, number, explicit));
}

function firstOf(keys) {
  for (const key of keys) if (key !== null) return key;
  return undefined;
}

// The bytes of a filter of these keys; null is none.
export async function buildFilter(keys, given) {
  const options = readOptions(given, []);
  if (!isKeys(keys)) throw new RibbonError("OPTION", "build takes an array, or another iterable, of keys");
  if (typeof keys.next === "function") keys = Array.from(keys); // which can be iterated once
  const keyClass = classOfKeys(options.key, typedArrayName(keys) === "BigInt64Array" ? 0n : firstOf(keys));
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass });
  checkStatus(builder.exports.check_params(request));
  const hashes = new Hashes(builder, keys.length ?? keys.size ?? 0, 1, 0);
  addKeys(hashes, keys, keyClass, options.key !== undefined);
  const at = hashes.end();
  return builder.made((out) => builder.exports.build(request, at, hashes.n, 0n, out));
}

// The bytes of an exact set of a universe: its members, and its other keys.
export async function buildExact(members, others, given) {
  checkNames(given, ["fpr", "key", "width", "asOf"]);
  const { fpr, key, width = 0, asOf } = given ?? {};
  checkWidth(width);
  if (fpr !== undefined) checkRate(fpr);
  if (!isKeys(members) || !isKeys(others))
    throw new RibbonError("OPTION", "buildExact takes the members, and the other keys, as arrays or other iterables");
  const sets = [Array.from(members), Array.from(others)];
  const keyClass = classOfKeys(key, firstOf(sets[0]) ?? firstOf(sets[1]));
  if (keyClass === KEY_CLASSES.hash)
    throw new RibbonError("KEY_TYPE", "an exact set is of keys, and cannot be of hashes alone");
  const time = asOf === undefined ? undefined : BigInt.asIntN(64, canonicalForm(asOf, KEY_CLASSES.timestamptz));
  const builder = await newBuilder();
  const request = builder.request({ kind: EXACT, fpr: fpr === 1 ? NaN : (fpr ?? 1), width, keyClass, asOf: time });
  checkStatus(builder.exports.check_params(request));
  const fill = () => {
    const records = new Hashes(builder, sets[0].length + sets[1].length, 2);
    for (const [i, keys] of sets.entries()) {
      const member = 1 - i;
      records.hashWith((from, ends, n, to) => builder.exports.hash_exact(from, ends, n, member, to));
      for (const one of keys) if (one !== null) records.add(sameClass(one, keyClass, key !== undefined));
    }
    return { at: records.end(), n: records.n };
  };
  const { at, n } = fill();
  try {
    return builder.made((out) => builder.exports.build(request, at, n, 0n, out));
  } catch (error) {
    if (error.code !== "CONFLICT") throw error;
    builder.free(at);
    const [numbers, otherNumbers] = sets.map(numbersOfKeys);
    const [member, other] = findConflict(builder, fill(), (i) => BigInt(i < numbers.length));
    const [i, k] = [numbers[member], otherNumbers[other - numbers.length]];
    const place = `${keyText(sets[0][i])}, member ${i} and other ${k}`;
    throw new RibbonError("CONFLICT", `a key is among the members and among the others: ${place}`, {
      hint: "Leave it out of one of them. Keys are counted from 0.",
    });
  }
}

// Which keys are keys, by number: not null.
function numbersOfKeys(keys) {
  const numbers = [];
  keys.forEach((key, i) => key !== null && numbers.push(i));
  return numbers;
}

// The numbers of the first key whose value is not that of an earlier key with its hash, and of that one in front.
// Records are those of a build, made anew: the build has sorted its own.
function findConflict(builder, { at, n }, valueOf) {
  const values = builder.alloc(8 * n + 8);
  const found = values + 8 * n;
  const { view } = builder;
  for (let i = 0; i < n; i++) {
    view.setBigUint64(at + 16 * i + 8, BigInt(i), true);
    view.setBigUint64(values + 8 * i, valueOf(i), true);
  }
  checkStatus(builder.exports.find_conflict(at, n, values, found));
  return [builder.view.getUint32(found, true), builder.view.getUint32(found + 4, true)];
}

// The bytes of a map: entries are [key, value] each, or a Map.
export async function buildMap(entries, given) {
  const options = readOptions(given, ["value", "seed", "code"]);
  const { seed = 0, code = "auto" } = options;
  if (!isNameOf(CODINGS, code))
    throw new RibbonError("OPTION", `unknown code ${quote(code)}`, {
      hint: "There are auto, plain, entropy.",
    });
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new RibbonError("OPTION", "seed is an integer from 0 to 4294967295");
  if (!isKeys(entries)) throw new RibbonError("OPTION", "build takes a Map, or an iterable of [key, value]");
  const all = Array.from(entries);
  if (!all.every(Array.isArray)) throw new RibbonError("OPTION", "entries of a map are arrays [key, value]");
  const numbers = numbersOfKeys(all.map(([key]) => key));
  const pairs = numbers.map((i) => all[i]);
  const values = encodeValues(
    pairs.map(([, value]) => value),
    options.value,
  );
  const keyClass = classOfKeys(options.key, pairs[0]?.[0]);
  if (options.kind === KINDS.homogeneous)
    throw new RibbonError("OPTION", "a map is of kind burr", { hint: "Homogeneous filters hold no values." });

  const builder = await newBuilder();
  const request = builder.request({
    ...options,
    kind: KINDS.burr,
    keyClass,
    values: { ...values, seed, coding: CODINGS[code] },
  });
  const keys = pairs.map(([key]) => key);
  const fill = () => {
    const hashes = new Hashes(builder, pairs.length, 2, seed);
    addKeys(hashes, keys, keyClass, options.key !== undefined);
    return { at: hashes.end(), n: hashes.n };
  };
  const { at, n } = fill();
  const { view } = builder;
  for (let i = 0; i < n; i++) view.setBigUint64(at + 16 * i + 8, values.words[i], true);
  try {
    return builder.made((out) => builder.exports.build(request, at, n, values.nullWord, out));
  } catch (error) {
    if (error.code !== "CONFLICT") throw error;
    builder.free(at);
    const found = findConflict(builder, fill(), (i) => values.words[i]);
    throw conflictOf(
      found.map((i) => [numbers[i], ...pairs[i]]),
      keyClass,
      seed,
    );
  }
}

const canonicalText = (key, keyClass) => {
  const form = canonicalForm(key, keyClass);
  return typeof form === "bigint" ? String(form) : form.join();
};

// What is wrong with two entries, [number, key, value] each.
function conflictOf([[i, key, value], [k, again, other]], keyClass, seed) {
  const [form, otherForm] = [key, again].map((one) => canonicalText(one, keyClass));
  const values = `${keyText(value)} in entry ${i}, ${keyText(other)} in entry ${k}`;
  if (form === otherForm)
    return new RibbonError("CONFLICT", `a key has two values: ${keyText(key)}, ${values}`, {
      hint: "Let each key have one value. Entries are counted from 0.",
    });
  return new RibbonError("CONFLICT", `two keys have one hash: ${keyText(key)} and ${keyText(again)}, ${values}`, {
    hint: `That happens by chance: say { seed: ${seed + 1} }.`,
  });
}

export async function checkBytes(bytes) {
  const builder = await newBuilder();
  checkStatus(builder.exports.check(builder.put(bytes), bytes.length));
  return true;
}

export async function shrinkBytes(bytes, fpr) {
  checkRate(fpr);
  const builder = await newBuilder();
  const at = builder.put(bytes);
  return builder.made((out) => builder.exports.shrink(at, bytes.length, fpr, out));
}

// The bytes that a filter of so many keys can be expected to take.
export async function expectedBytes(keys, given) {
  const options = readOptions(given, []);
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass: 0 });
  checkStatus(builder.exports.check_params(request));
  if (!(keys >= 0 && keys <= 2 ** 48)) throw new RibbonError("OPTION", "the number of keys is 0 to 2^48");
  return builder.exports.expected_bytes(request, Math.floor(keys));
}
