// records.js - maps and exact sets are built, of records: a hash, and a word beside it
//
// Two records may be in conflict: keys of one hash with different values, or a key on both sides of a universe.
// The core sorts the records, so they are made anew to find where the two come from.

import { asBytes, cut, isDate, isPlain, quote, timeOf } from "../brands.js";
import { newBuilder } from "./builder.js";
import { KEY_CLASSES, checkSeed } from "../classes.js";
import { RibbonError, checkStatus } from "../errors.js";
import { Hashes, addKeys, classOfKeys, firstOf } from "./hashes.js";
import { Key, canonicalForm } from "../keys.js";
import { listOf, own } from "../lists.js";
import { MOST_SEED, readExactOptions, readMapOptions } from "./options.js";
import { encodeValues } from "./values.js";

// The bytes of an exact set of a universe: its members, and its other keys.
export async function buildExact(members, others, given) {
  const options = readExactOptions(given);
  const sides = [listOf(members), listOf(others)];
  const keyClass = classOfKeys(options.key, firstOf(sides[0]) ?? firstOf(sides[1]));
  if (keyClass === KEY_CLASSES.hash)
    throw new RibbonError("KEY_TYPE", "an exact set is of keys, and cannot be of hashes alone");
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass });
  checkStatus(builder.exports.check_params(request));
  return buildRecords(
    builder,
    request,
    () => exactRecords(builder, sides, keyClass, options.key !== undefined),
    (find) => exactConflict(sides, find, keyClass),
  );
}

function exactRecords(builder, sides, keyClass, explicit) {
  const records = new Hashes(builder, sides[0].length + sides[1].length, 2);
  sides.forEach((keys, i) => {
    const member = 1 - i;
    records.hashWith((from, ends, n, to) => builder.exports.hash_exact(from, ends, n, member, to));
    addKeys(records, keys, keyClass, explicit);
  });
  return { at: records.end(), n: records.n };
}

function exactConflict(sides, find, keyClass) {
  const [numbers, otherNumbers] = sides.map(numbersOfKeys);
  const [member, other] = find((i) => BigInt(i < numbers.length));
  const [i, k] = [numbers[member], otherNumbers[other - numbers.length]];
  const [key, again] = [sides[0][i], sides[1][k]];
  const places = `member ${i} and other ${k}`;
  if (isSame(key, again, keyClass))
    return new RibbonError("CONFLICT", `a key is among the members and among the others: ${keyText(key)}, ${places}`, {
      hint: "Leave it out of one of them. Keys are counted from 0.",
    });
  return new RibbonError("CONFLICT", `two keys have one hash: ${keyText(key)} and ${keyText(again)}, ${places}`, {
    hint: "Leave one of them out. Keys are counted from 0.",
  });
}

// The bytes of a map: entries are [key, value] each, or a Map.
export async function buildMap(entries, given) {
  const { value: valueType, seed, code: coding, ...options } = readMapOptions(given);
  const { keys, values, numbers } = readEntries(entries);
  const encoded = encodeValues(values, valueType);
  const keyClass = classOfKeys(options.key, firstOf(keys));
  checkSeed({ keyClass, seed });
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass, values: { ...encoded, seed, coding } });
  return buildRecords(
    builder,
    request,
    () => {
      const hashes = new Hashes(builder, keys.length, 2, seed);
      addKeys(hashes, keys, keyClass, options.key !== undefined);
      const records = { at: hashes.end(), n: hashes.n };
      setWords(builder, records, (i) => encoded.words[i]);
      return records;
    },
    (find) => {
      const found = find((i) => encoded.words[i]).map((i) => [numbers[i], keys[i], values[i]]);
      return mapConflict(found, keyClass, seed);
    },
  );
}

// Keys that are not null, their values, and as which of the entries they came.
function readEntries(entries) {
  const ownEntry = (entry) => (Array.isArray(entry) ? [own(entry[0]), own(entry[1])] : entry);
  const all = listOf(entries, "[key, value]", ownEntry);
  if (!all.every(Array.isArray))
    throw new RibbonError("OPTION", "entries of a map are arrays [key, value]", {
      hint: "Pass rows.map((row) => [row.id, row.name]), say.",
    });
  const numbers = numbersOfKeys(all.map(([key]) => key));
  return { keys: numbers.map((i) => all[i][0]), values: numbers.map((i) => all[i][1]), numbers };
}

// Which keys are keys, by number: not null.
function numbersOfKeys(keys) {
  const numbers = [];
  keys.forEach((key, i) => key !== null && numbers.push(i));
  return numbers;
}

function setWords({ view }, { at, n }, wordOf) {
  for (let i = 0; i < n; i++) view.setBigUint64(at + 16 * i + 8, wordOf(i), true);
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

// The numbers of the first key whose value is not that of an earlier key with its hash, and of that one in front.
function findConflict(builder, records, valueOf) {
  const { at, n } = records;
  const values = builder.alloc(8 * n + 8);
  const found = values + 8 * n;
  setWords(builder, records, BigInt);
  for (let i = 0; i < n; i++) builder.view.setBigUint64(values + 8 * i, valueOf(i), true);
  checkStatus(builder.exports.find_conflict(at, n, values, found));
  return [builder.view.getUint32(found, true), builder.view.getUint32(found + 4, true)];
}

// A key, or a value of a map, in a message: its first so many characters.
function keyText(key) {
  if (key instanceof Key) return String(key);
  const bytes = asBytes(key);
  const hex = (byte) => byte.toString(16).padStart(2, "0");
  if (bytes) return cut(`\\x${Array.from(bytes.subarray(0, 64), hex).join("")}`);
  if (isDate(key)) return new Date(timeOf(key)).toISOString();
  if (!isPlain(key)) return cut(quote(key));
  const members = Object.entries(key).map(([name, value]) => `${name}: ${value}`);
  return cut(`{ ${members.join(", ")} }`);
}

const canonicalText = (key, keyClass) => {
  const form = canonicalForm(key, keyClass);
  return typeof form === "bigint" ? String(form) : form.join();
};

const isSame = (key, other, keyClass) => canonicalText(key, keyClass) === canonicalText(other, keyClass);

// What is wrong with two entries, [number, key, value] each.
function mapConflict([[i, key, value], [k, again, other]], keyClass, seed) {
  const values = `${keyText(value)} in entry ${i}, ${keyText(other)} in entry ${k}`;
  if (isSame(key, again, keyClass))
    return new RibbonError("CONFLICT", `a key has two values: ${keyText(key)}, ${values}`, {
      hint: "Let each key have one value. Entries are counted from 0.",
    });
  return new RibbonError("CONFLICT", `two keys have one hash: ${keyText(key)} and ${keyText(again)}, ${values}`, {
    hint: `That happens by chance: say { seed: ${seed === MOST_SEED ? 0 : seed + 1} }.`,
  });
}
