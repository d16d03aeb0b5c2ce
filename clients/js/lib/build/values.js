// values.js - a map's values become codes, and texts a dictionary: docs/format.md, section 7

import { cut, isDate, quote, timeOf } from "../brands.js";
import { MOST_TEXTS, compareBytes } from "../dictionary.js";
import { RibbonError, checkChoice } from "../errors.js";
import { encodeText } from "../forms.js";
import { dateToDays, instantToMicroseconds, timestampToMicroseconds } from "../times.js";
import { RANGES, VALUE_CLASSES, allBits } from "../values.js";

function typeOfValues(values) {
  const first = values.find((value) => value !== null);
  if (typeof first === "boolean") return "boolean";
  if (typeof first === "bigint") return "bigint";
  if (typeof first === "string" || first === undefined) return "text";
  if (isDate(first)) return "timestamptz";
  const isNumber = (value) => value === null || Number.isInteger(value);
  const large = values.find((value) => isNumber(value) && value !== null && value !== (value | 0));
  if (large === undefined && values.every(isNumber)) return "integer";
  if (values.every(isNumber))
    throw new RibbonError("VALUE_TYPE", `the value ${large} is no integer of 32 bits`, {
      hint: 'Say { value: "bigint" }, and all values are read as bigints.',
    });
  throw new RibbonError("VALUE_TYPE", "the values are not all strings, or booleans, integers, bigints or Dates", {
    hint: 'Say which type, as in { value: "date" }, or pass strings.',
  });
}

function toNumber(name, value) {
  const wrong = (hint) => new RibbonError("VALUE_TYPE", `${quote(value)} is no ${name}`, { hint });
  let number;
  switch (name) {
    case "boolean":
      if (typeof value !== "boolean") throw wrong("Pass true, false or null.");
      return BigInt(value);
    case "date":
      if (typeof value !== "string") throw wrong('Pass a string such as "2026-01-31".');
      return BigInt(dateToDays(value));
    case "timestamp":
    case "timestamptz":
      if (name === "timestamptz" && isDate(value)) return instantToMicroseconds(timeOf(value));
      if (typeof value !== "string") throw wrong("Pass a string in ISO form.");
      return timestampToMicroseconds(name, value);
    default:
      if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw wrong("Pass an integer or a bigint.");
      number = BigInt(value);
  }
  const [least, most] = RANGES[name];
  if (number < least || number > most)
    throw new RibbonError("VALUE_RANGE", `${cut(String(number))} is out of the range of ${name}`);
  return number;
}

const bitsOf = (code) => (code === 0n ? 0 : code.toString(2).length);

// Words of values, one for each: codes, the same as the server's, on top of the base; and what a header says of them.
export function encodeValues(values, type = typeOfValues(values)) {
  const hasNull = values.includes(null);
  checkChoice("type of values", type, ["text", ...Object.keys(RANGES)]);
  try {
    return type === "text" ? encodeTexts(values, hasNull) : encodeNumbers(values, type, hasNull);
  } catch (error) {
    if (error.code !== "KEY") throw error; // said by what reads keys, too
    throw new RibbonError("VALUE_RANGE", error.message, { hint: error.hint, cause: error });
  }
}

function encodeNumbers(values, type, hasNull) {
  const numbers = values.map((value) => (value === null ? null : toNumber(type, value)));
  const present = numbers.filter((number) => number !== null);
  const any = present.length > 0;
  const least = any ? present.reduce((a, b) => (a < b ? a : b)) : 0n;
  const most = any ? present.reduce((a, b) => (a > b ? a : b)) : 0n;
  const bits = bitsOf(most - least + (any && hasNull ? 1n : 0n));
  if (bits > 64)
    throw new RibbonError("VALUE_RANGE", "the range of the values takes all 64 bits, which leaves no code for null");
  const ofNull = least + allBits(bits);
  const words = BigUint64Array.from(numbers, (number) => BigInt.asUintN(64, number ?? ofNull));
  return { words, base: least, bits, hasNull, valueClass: VALUE_CLASSES[type], dictionary: null };
}

function encodeTexts(values, hasNull) {
  const distinct = [...new Set(values)].filter((value) => value !== null);
  for (const value of distinct)
    if (typeof value !== "string" || value.includes("\0"))
      throw new RibbonError("VALUE_TYPE", `${quote(value)} is no text`, {
        hint: "Values are all strings, or say which type they are of; texts have no character 0.",
      });
  if (distinct.length > MOST_TEXTS)
    throw new RibbonError("VALUE_RANGE", `a map cannot have more than ${MOST_TEXTS} different texts`, {
      hint: "Number the texts, and map keys to these numbers.",
    });
  const sorted = distinct.map((text) => [encodeText(text), text]).sort(([a], [b]) => compareBytes(a, b));
  const codes = new Map(sorted.map(([, text], i) => [text, BigInt(i)]));
  const n = sorted.length;
  const bits = bitsOf(BigInt(n - (n > 0 && !hasNull ? 1 : 0)));
  return {
    words: BigUint64Array.from(values, (value) => (value === null ? allBits(bits) : codes.get(value))),
    base: 0n,
    bits,
    hasNull,
    valueClass: VALUE_CLASSES.dictionary,
    dictionary: writeDictionary(sorted.map(([bytes]) => bytes)),
  };
}

// A dictionary of texts in UTF-8, which are in order.
function writeDictionary(texts) {
  const head = ["pg_catalog", "text"].flatMap((name) => [name.length, ...encodeText(name)]);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const size = total < 0x100 ? 1 : total < 0x10000 ? 2 : 4;
  let count = texts.length;
  for (; count > 127; count = Math.floor(count / 128)) head.push((count & 0x7f) | 0x80);
  head.push(count, size);
  const bytes = new Uint8Array(head.length + texts.length * size + total);
  bytes.set(head);
  let at = head.length;
  let end = 0;
  for (const text of texts) {
    end += text.length;
    for (let k = 0; k < size; k++) bytes[at++] = Math.floor(end / 256 ** k) & 0xff;
  }
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length;
  }
  return bytes;
}
