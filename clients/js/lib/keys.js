// keys.js - a key of a class, and what is one
//
// A key is a value of JavaScript, read as a key of a class, or a Key, which has a class of its own.  forms.js makes a
// value's canonical bytes.

import { describe, isBuffer, isDate, quote, typedArrayName } from "./brands.js";
import { KEY_CLASSES, className, classNumber } from "./classes.js";
import { engineFor } from "./engine.js";
import { RibbonError } from "./errors.js";
import { bytesOf, formOfBytes, formOfValue, unsigned } from "./forms.js";

// A key of a certain class, made once and asked often, or of a class whose bytes you make.
export class Key {
  constructor(value, className_) {
    const number = classNumber(className_);
    setKey(this, number, number === KEY_CLASSES.hash ? hashOf(value) : canonicalForm(value, number));
  }

  // What ribbon_hash has for it. A promise.
  async hash() {
    if (this.class === KEY_CLASSES.hash) return BigInt.asIntN(64, this.form);
    return BigInt.asIntN(64, (await engineFor(0)).hash(this.form, 0));
  }

  // What ribbon_shard has for it: 0 .. nshards - 1. A promise.
  async shard(nshards) {
    if (!Number.isInteger(nshards) || nshards < 1 || nshards > 0x7fffffff)
      throw new RibbonError("OPTION", `the number of shards is an integer above 0, not ${quote(nshards)}`);
    const hash = await this.hash();
    return (await engineFor(0)).exports.shard(hash, nshards);
  }

  toString() {
    return `Key of class ${className(this.class)}`;
  }

  toJSON() {
    return String(this);
  }

  // The bytes that PostgreSQL's key class has for it (docs/canonical.md), as you know them.
  static canonical(bytes, className_) {
    const number = classNumber(className_);
    const form = number === KEY_CLASSES.hash ? hashOf(bytes) : formOfBytes(bytesOf(bytes, "a key's canonical bytes"), number);
    return setKey(Object.create(Key.prototype), number, form);
  }
}

const hashOf = (value) => unsigned(value, 64, "hash");

function setKey(key, number, form) {
  key.class = number;
  key.form = typeof form === "bigint" ? form : Uint8Array.from(form); // of bytes that may change
  return Object.freeze(key);
}

// The class of a value of which none is given.
export function classOfValue(value) {
  if (value instanceof Key) return value.class;
  switch (typeof value) {
    case "string":
      return KEY_CLASSES.text;
    case "bigint":
      return KEY_CLASSES.integer;
    case "boolean":
      return KEY_CLASSES.bool;
    case "number":
      if (Number.isSafeInteger(value)) return KEY_CLASSES.integer;
      throw new RibbonError("KEY_TYPE", `the number ${value} is no integer`, {
        hint: 'Say { key: "float" } or { key: "numeric" }, or pass a bigint.',
      });
  }
  if (typedArrayName(value) === "Uint8Array") return KEY_CLASSES.bytea;
  if (isDate(value)) return KEY_CLASSES.timestamptz; // first, for what is no buffer is told slowly
  if (isBuffer(value)) return KEY_CLASSES.bytea;
  throw new RibbonError("KEY_TYPE", `${describe(value)} is no key`, {
    hint: "Keys are strings, bigints, integer numbers, booleans, Dates, Uint8Arrays, or new Key(value, class).",
  });
}

// The canonical form of a key, or of a value as one, of the class with this number.
export const canonicalForm = (value, number) =>
  value instanceof Key ? formOfKey(value, number) : formOfValue(value, number);

// A time as a timestamptz: microseconds since 2000-01-01 00:00 UTC.
export const timestamptzOf = (time) => BigInt.asIntN(64, canonicalForm(time, KEY_CLASSES.timestamptz));

// A filter whose class is char(n) trims texts, as PostgreSQL's = does.
function formOfKey(key, number) {
  if (key.class === number) return key.form;
  if (key.class === KEY_CLASSES.text && number === KEY_CLASSES.char) {
    let end = key.form.length;
    while (end > 0 && key.form[end - 1] === 0x20) end--;
    return key.form.subarray(0, end);
  }
  throw new RibbonError(
    "KEY_TYPE",
    `a key of class ${className(key.class)}, where keys are of class ${className(number)}`,
    {
      hint: `Make it with new Key(value, "${className(number)}").`,
    },
  );
}
