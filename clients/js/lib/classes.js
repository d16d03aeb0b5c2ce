// classes.js - the key classes, by name: docs/canonical.md

import { RibbonError, checkChoice } from "./errors.js";

export const KEY_CLASSES = Object.freeze({
  hash: 0,
  integer: 1,
  text: 2,
  bytea: 3,
  uuid: 4,
  bool: 5,
  date: 6,
  time: 7,
  timestamp: 8,
  timestamptz: 9,
  oid: 10,
  float: 11,
  macaddr: 12,
  macaddr8: 13,
  numeric: 14,
  interval: 15,
  inet: 16,
  enum: 17,
  char: 18,
  timetz: 19,
  xid8: 20,
  pg_lsn: 21,
  bit: 22,
  array: 23,
  range: 24,
  multirange: 25,
  row: 26,
  jsonb: 27,
  other: 28,
  "other, big-endian": 29,
});

const NAMES = Object.keys(KEY_CLASSES);
const OTHER_NAMES = new Map([
  ["boolean", "bool"], // libribbon's
  ["char(n)", "char"], // the server's
]);

// The class itself of a number, in which those of its parts, as of an array's elements, are above it.
export const withoutParts = (number) => number & 31;

export const className = (number) => NAMES[withoutParts(number)] ?? String(withoutParts(number));

export function classNumber(name) {
  const known = OTHER_NAMES.get(name) ?? name;
  checkChoice("key class", known, NAMES);
  return KEY_CLASSES[known];
}

// A seed makes a hash of the two that a key has; of one's own there is one.
export function checkSeed({ keyClass, seed }) {
  if (withoutParts(keyClass) === KEY_CLASSES.hash && seed !== 0)
    throw new RibbonError("KEY_TYPE", "with a seed it is of keys, and cannot be of hashes alone");
}
