// values.js - what a map's codes stand for: docs/format.md, section 7

import { cut, isDate, quote, timeOf } from "./brands.js";
import { MOST_TEXTS, compareBytes, readDictionary, writeDictionary } from "./dictionary.js";
import { RibbonError, checkChoice, statusError } from "./errors.js";
import { encodeText } from "./forms.js";
import {
  dateToDays,
  daysToDate,
  instantToMicroseconds,
  microsecondsToTimestamp,
  timestampToMicroseconds,
} from "./times.js";

const VALUE_CLASSES = {
  dictionary: 0,
  boolean: 1,
  smallint: 2,
  integer: 3,
  bigint: 4,
  date: 5,
  timestamp: 6,
  timestamptz: 7,
};
const NAMES = Object.keys(VALUE_CLASSES);
const signed = (bits) => [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
const RANGES = {
  boolean: [0n, 1n],
  smallint: signed(16n),
  integer: signed(32n),
  bigint: signed(64n),
  date: signed(32n),
  timestamp: signed(64n),
  timestamptz: signed(64n),
};

// A function from a code to a value: undefined if it is no key's, null for NULL.  It has the values' type,
// and of a dictionary the count of its texts, and a check, which looks at all of it.
export function valueReader(about, dictionaryBytes) {
  const nullCode = allBits(about.valueBits);
  const name = NAMES[about.valueClass];
  if (name === undefined) throw statusError("BAD_VALUE_CLASS");
  if ((name === "dictionary") !== about.dictionaryBytes > 0) throw statusError("BAD_VALUES");
  let read;
  if (name === "dictionary") {
    const dictionary = readDictionary(dictionaryBytes, about.hasNull, about.valueBits);
    read = (code) => (code < dictionary.count ? dictionary.text(Number(code)) : undefined);
    read.type = dictionary.type;
    read.count = dictionary.count;
    read.check = dictionary.check;
  } else {
    const [least, most] = RANGES[name];
    const convert = fromNumber(name);
    read = (code) => {
      const number = about.base + code;
      return number < least || number > most ? undefined : convert(number);
    };
    read.type = name;
  }
  if (!about.hasNull) return read;
  return Object.assign((code) => (code === nullCode ? null : read(code)), read);
}

function fromNumber(name) {
  switch (name) {
    case "boolean":
      return (number) => number !== 0n;
    case "bigint":
      return (number) => number;
    case "date":
      return (number) => daysToDate(number) ?? undefined;
    case "timestamp":
      return (number) => microsecondsToTimestamp(number, "") ?? undefined;
    case "timestamptz":
      return (number) => microsecondsToTimestamp(number, "+00") ?? undefined;
    default:
      return Number;
  }
}

// --- to build ---

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

// The code of null.
const allBits = (bits) => (1n << BigInt(bits)) - 1n;

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
