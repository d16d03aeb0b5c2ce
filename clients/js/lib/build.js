// build.js - what takes the second module: to build, to check, to shrink

import { isNameOf, quote, typedArrayName } from "./brands.js";
import { newBuilder } from "./builder.js";
import { KEY_CLASSES } from "./classes.js";
import { RibbonError, checkStatus } from "./errors.js";
import { Hashes, addKeys, classOfKeys, firstOf, sameClass } from "./hashes.js";
import { canonicalForm, isKeys, keyText } from "./keys.js";
import { encodeValues } from "./values.js";

const KINDS = { burr: 0, homogeneous: 1, auto: 2 };
const EXACT = 3;
const CODINGS = { plain: 0, entropy: 1, auto: 2 };
const WIDTHS = [0, 32, 64, 128];

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
  return builder.made((out) => builder.exports.build(request, at, hashes.n, out));
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
  return buildRecords(builder, request, fill, (find) => {
    const [numbers, otherNumbers] = sets.map(numbersOfKeys);
    const [member, other] = find((i) => BigInt(i < numbers.length));
    const [i, k] = [numbers[member], otherNumbers[other - numbers.length]];
    const place = `${keyText(sets[0][i])}, member ${i} and other ${k}`;
    return new RibbonError("CONFLICT", `a key is among the members and among the others: ${place}`, {
      hint: "Leave it out of one of them. Keys are counted from 0.",
    });
  });
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

// The bytes of what is built from the records that fill puts into a builder's memory.  If two of them are in
// conflict, throws what explain returns, which is given a function that finds them by their values.
function buildRecords(builder, request, fill, explain) {
  const { at, n } = fill();
  try {
    return builder.made((out) => builder.exports.build(request, at, n, out));
  } catch (error) {
    if (error.code !== "CONFLICT") throw error;
    builder.free(at);
    throw explain((valueOf) => findConflict(builder, fill(), valueOf));
  }
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
    const at = hashes.end();
    const { n } = hashes;
    const { view } = builder;
    for (let i = 0; i < n; i++) view.setBigUint64(at + 16 * i + 8, values.words[i], true);
    return { at, n };
  };
  return buildRecords(builder, request, fill, (find) => {
    const found = find((i) => values.words[i]).map((i) => [numbers[i], ...pairs[i]]);
    return conflictOf(found, keyClass, seed);
  });
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
