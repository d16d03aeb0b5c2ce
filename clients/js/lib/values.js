// values.js - what a map's codes stand for: docs/format.md, section 7

import { readDictionary } from "./dictionary.js";
import { statusError } from "./errors.js";
import { daysToDate, microsecondsToTimestamp } from "./times.js";

export const VALUE_CLASSES = {
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
export const RANGES = {
  boolean: [0n, 1n],
  smallint: signed(16n),
  integer: signed(32n),
  bigint: signed(64n),
  date: signed(32n),
  timestamp: signed(64n),
  timestamptz: signed(64n),
};

// The code of null.
export const allBits = (bits) => (1n << BigInt(bits)) - 1n;

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
