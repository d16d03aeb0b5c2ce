// values.js - what a map's codes stand for: docs/format.md, section 7

import { isDate, quote, timeOf } from "./brands.js";
import { RibbonError, checkChoice } from "./errors.js";
import {
  dateToDays,
  daysToDate,
  instantToMicroseconds,
  microsecondsToTimestamp,
  timestampToMicroseconds,
} from "./times.js";
import { encodeText } from "./forms.js";

export const VALUE_CLASSES = Object.freeze({
  dictionary: 0,
  boolean: 1,
  smallint: 2,
  integer: 3,
  bigint: 4,
  date: 5,
  timestamp: 6,
  timestamptz: 7,
});
const NAMES = Object.keys(VALUE_CLASSES);
const RANGES = {
  boolean: [0n, 1n],
  smallint: [-0x8000n, 0x7fffn],
  integer: [-0x80000000n, 0x7fffffffn],
  bigint: [-0x8000000000000000n, 0x7fffffffffffffffn],
  date: [-0x80000000n, 0x7fffffffn],
  timestamp: [-0x8000000000000000n, 0x7fffffffffffffffn],
  timestamptz: [-0x8000000000000000n, 0x7fffffffffffffffn],
};
const MOST_TEXTS = 65536;

const damaged = (message) => new RibbonError("CORRUPT", `the map's dictionary is damaged: ${message}`);

// The dictionary in these bytes: type's name, and texts by code.
export function readDictionary(bytes, hasNull, valueBits) {
  let at = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const take = (size) => {
    if (size > bytes.length - at) throw damaged("it ends too early");
    at += size;
    return bytes.subarray(at - size, at);
  };
  const textOf = (part) => {
    try {
      return decoder.decode(part);
    } catch {
      throw damaged("a text is not UTF-8");
    }
  };
  const name = () => {
    const size = take(1)[0];
    if (size === 0) throw damaged("a name is empty");
    return textOf(take(size));
  };
  const type = [name(), name()];
  let count = 0;
  for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) {
    if (shift > 21) throw damaged("too many texts");
    byte = take(1)[0];
    count += (byte & 0x7f) * 2 ** shift;
  }
  const codes = 2 ** Math.min(valueBits, 32) - (hasNull ? 1 : 0);
  if (count > MOST_TEXTS || count > codes) throw damaged("too many texts");
  const size = take(1)[0];
  if (![1, 2, 4].includes(size)) throw damaged("ends of that size");
  const ends = take(count * size);
  const rest = bytes.subarray(at);
  const endOf = (i) => {
    let end = 0;
    for (let k = size; k-- > 0;) end = end * 256 + ends[i * size + k];
    return end;
  };
  for (let i = 0, last = 0; i < count; last = endOf(i++)) if (endOf(i) < last) throw damaged("texts out of order");
  if ((count > 0 ? endOf(count - 1) : 0) !== rest.length) throw damaged("its end");
  const texts = new Array(count);
  const part = (i) => rest.subarray(i > 0 ? endOf(i - 1) : 0, endOf(i));
  return {
    type: type.join("."),
    count,
    text: (i) => (texts[i] ??= textOf(part(i))),
    // what takes a look at every text
    check: () => {
      if (type.join("").includes("\0")) throw damaged("a name has a zero byte");
      for (let i = 0; i < count; i++) {
        if (i > 0 && compareBytes(part(i - 1), part(i)) >= 0) throw damaged("texts out of order");
        if (textOf(part(i)).includes("\0")) throw damaged("a text has a zero byte");
      }
    },
  };
}

// A function from a code to a value: undefined if it is no key's, null for NULL.  Its check, if it has a dictionary,
// looks at all of that.
export function valueReader(about, dictionaryBytes) {
  const nullCode = allBits(about.valueBits);
  const name = NAMES[about.valueClass];
  let read;
  if (name === undefined || (name === "dictionary") !== about.dictionaryBytes > 0)
    throw new RibbonError("VERSION", `unknown value class ${about.valueClass}`);
  if (name === "dictionary") {
    const dictionary = readDictionary(dictionaryBytes, about.hasNull, about.valueBits);
    read = (code) => (code < dictionary.count ? dictionary.text(Number(code)) : undefined);
    read.type = dictionary.type;
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
  return Object.assign((code) => (code === nullCode ? null : read(code)), { type: read.type, check: read.check });
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
  if (number < least || number > most) throw new RibbonError("VALUE_RANGE", `${number} is out of the range of ${name}`);
  return number;
}

const bitsOf = (code) => (code === 0n ? 0 : code.toString(2).length);

// The code of null.
const allBits = (bits) => (1n << BigInt(bits)) - 1n;

// Words of values, one for each: codes, the same as the server's, on top of the base; and what a header says of them.
export function encodeValues(values, type = typeOfValues(values)) {
  const hasNull = values.includes(null);
  checkChoice("type of values", type, ["text", ...Object.keys(RANGES)]);
  return type === "text" ? encodeTexts(values, hasNull) : encodeNumbers(values, type, hasNull);
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

function compareBytes(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
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
