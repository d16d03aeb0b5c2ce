// forms.js - from a value to the canonical bytes of a key: docs/canonical.md
//
// A canonical form is a BigInt where that is a number of 64 bits, else a Uint8Array.

import { asBytes, cut, describe, isPlain, quote, timeOf, typedArrayName } from "./brands.js";
import { KEY_CLASSES, className } from "./classes.js";
import { RibbonError } from "./errors.js";
import {
  dateToDays,
  instantToMicroseconds,
  timeToMicroseconds,
  timestampToMicroseconds,
  timetzToParts,
} from "./times.js";

const encoder = new TextEncoder();

function refuseType(value, number, wanted) {
  throw new RibbonError("KEY_TYPE", `${describe(value)} is no key of class ${className(number)}`, {
    hint: `Pass ${wanted}.`,
  });
}

// Is the text well-formed?  Half of a pair of surrogates would become another character.
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function encodeText(text) {
  if (text.includes("\0"))
    throw new RibbonError("KEY", "the text has a character 0, which PostgreSQL's text cannot have");
  const bytes = encoder.encode(text);
  if (bytes.length !== text.length && LONE.test(text))
    throw new RibbonError("KEY", "the text has half of a surrogate pair, which is no character");
  return bytes;
}

// A text without a character at its end.  (A regular expression would take time with the square of its length.)
function trimEnd(text, character) {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

function textOf(value, number) {
  return typeof value === "string" ? value : refuseType(value, number, "a string");
}

export function bytesOf(value, what) {
  const bytes = asBytes(value);
  if (bytes) return bytes;
  throw new RibbonError("KEY_TYPE", `${describe(value)} is no bytes`, { hint: `Pass ${what} as a Uint8Array.` });
}

function integerOf(value, number) {
  if (typeof value === "bigint") return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "number")
    throw new RibbonError("KEY_TYPE", `the number ${value} is no integer that a number can hold exactly`, {
      hint: "Pass a bigint, such as 42n.",
    });
  return refuseType(value, number, "a bigint, or an integer number");
}

export function unsigned(value, bits, name) {
  const integer = integerOf(value, KEY_CLASSES[name]);
  if (integer < 0n || integer >> BigInt(bits) !== 0n)
    throw new RibbonError("KEY", `${cut(String(integer))} is out of the range of ${name}`);
  return integer;
}

function signed(value, bits, name) {
  const integer = integerOf(value, KEY_CLASSES[name]);
  if (BigInt.asIntN(bits, integer) !== integer)
    throw new RibbonError("KEY", `${cut(String(integer))} is out of the range of ${name}, which has ${bits} bits`);
  return integer;
}

function little(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of parts)
    for (let i = 0, rest = BigInt.asUintN(8 * size, BigInt(value)); i < size; i++, rest >>= 8n)
      bytes[at++] = Number(rest & 0xffn);
  return bytes;
}

// Where the server takes separators between bytes, which are all the same: in a uuid behind any four digits; in a
// macaddr behind each two, each four or the first six; in a macaddr8 anywhere.
const HEX_FORMS = {
  uuid: /^([0-9a-f]{4}-?){7}[0-9a-f]{4}$/i,
  macaddr: /^(([0-9a-f]{2}[:-]){5}[0-9a-f]{2}|([0-9a-f]{4}[.-]){2}[0-9a-f]{4}|[0-9a-f]{6}[:-]?[0-9a-f]{6})$/i,
  macaddr8: /^([0-9a-f]{2}[:.-]?){5}(([0-9a-f]{2}[:.-]?){2})?[0-9a-f]{2}$/i,
};

function hexBytes(value, number, example) {
  const name = className(number);
  const text = textOf(value, number);
  const separators = HEX_FORMS[name].test(text) ? new Set(text.match(/[:.-]/g)) : undefined;
  if (!separators || separators.size > 1)
    throw new RibbonError("KEY", `${quote(value)} is no ${name}`, { hint: `Write it like ${example}.` });
  return Uint8Array.from(text.match(/[0-9a-f]{2}/gi), (byte) => parseInt(byte, 16));
}

function uuidBytes(value, number) {
  const bytes = typedArrayName(value) === "Uint8Array" ? asBytes(value) : undefined;
  if (bytes?.length === 16) return bytes;
  const text = typeof value === "string" ? value.replace(/^\{(.*)\}$/, "$1") : value;
  return hexBytes(text, number, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
}

function macBytes(value, number) {
  const bytes = hexBytes(value, number, "08:00:2b:01:02:03");
  if (number === KEY_CLASSES.macaddr || bytes.length === 8) return bytes;
  return Uint8Array.of(...bytes.slice(0, 3), 0xff, 0xfe, ...bytes.slice(3)); // as PostgreSQL widens it
}

function floatWord(value, number) {
  if (typeof value !== "number") refuseType(value, number, "a number");
  if (Number.isNaN(value)) return 0x7ff8000000000000n;
  return new BigUint64Array(Float64Array.of(value === 0 ? 0 : value).buffer)[0];
}

// With the blanks that the server knows around them.
const SPECIAL = /^[ \t-\r]*(?:nan|([+-]?)inf(?:inity)?)[ \t-\r]*$/i;
const NUMERIC = /^[ \t-\r]*(?=[+-]?\.?[0-9])([+-]?)([0-9]*)(?:\.([0-9]*))?(?:e([+-]?[0-9]+))?[ \t-\r]*$/i;

const MOST_EXPONENT = 2 ** 30 - 1; // which, too, is refused

// The shortest decimal text without exponent.
function numericText(value, number) {
  const text =
    typeof value === "bigint" || typeof value === "number"
      ? String(value)
      : typeof value === "string"
        ? value
        : refuseType(value, number, "a string of decimal digits, a bigint or a number");
  const special = SPECIAL.exec(text);
  if (special) return special[1] === undefined ? "NaN" : special[1] === "-" ? "-Infinity" : "Infinity";
  const parts = NUMERIC.exec(text);
  if (!parts) throw new RibbonError("KEY", `${quote(text)} is no numeric`);
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const scale = fraction.length - +exponent; // digits behind the point, with zeros at the end
  const point = digits ? digits.length - scale : 0;
  if (Math.abs(+exponent) >= MOST_EXPONENT || point > 131072 || scale > 16383)
    throw new RibbonError("KEY", `${quote(text)} is out of the range of numeric`);
  if (!digits) return "0";
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const behind = trimEnd(point > 0 ? digits.slice(point) : "0".repeat(-point) + digits, "0");
  return (sign === "-" ? "-" : "") + (behind ? `${before}.${behind}` : before);
}

function intervalBytes(value, number) {
  if (!isPlain(value)) refuseType(value, number, "{ months, days, microseconds }, each of which may be left out");
  const { months = 0, days = 0, microseconds = 0, ...others } = value;
  if (Object.keys(others).length > 0) refuseType(value, number, "{ months, days, microseconds } and nothing else");
  const day = 86400000000n;
  const time = signed(microseconds, 64, "interval");
  const rest = ((time % day) + day) % day;
  const whole = signed(months, 32, "interval") * 30n + signed(days, 32, "interval");
  return little([8, whole + (time - rest) / day], [8, rest]);
}

function inet4(text) {
  const parts = text.split(".");
  const bytes = parts.map((part) => (/^[0-9]{1,3}$/.test(part) && +part < 256 ? +part : NaN));
  return parts.length === 4 && !bytes.some(Number.isNaN) ? bytes : null;
}

function inet6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, h) => {
    const groups = half === "" ? [] : half.split(":");
    return groups.flatMap((group, i) => {
      const isLast = h === halves.length - 1 && i === groups.length - 1; // which may be an address of version 4
      if (isLast && group.includes(".")) return inet4(group) ?? [NaN];
      return /^[0-9a-f]{1,4}$/i.test(group) ? [parseInt(group, 16) >> 8, parseInt(group, 16) & 255] : [NaN];
    });
  });
  if (tail === undefined) return head.length === 16 && !head.some(Number.isNaN) ? head : null;
  const zeros = 16 - head.length - tail.length;
  if (zeros < 2) return null;
  const bytes = [...head, ...new Array(zeros).fill(0), ...tail];
  return bytes.some(Number.isNaN) ? null : bytes;
}

function inetBytes(value, number) {
  const [address, mask, more] = textOf(value, number).split("/");
  const bytes = address.includes(":") ? inet6(address) : inet4(address);
  const hasZeros = address.includes(":") && /:0[0-9]+\.|[./]0[0-9]/.test(value); // in front, as the server has none
  const bits = mask === undefined ? bytes?.length * 8 : /^[0-9]{1,3}$/.test(mask) ? +mask : NaN;
  if (!bytes || hasZeros || more !== undefined || !(bits <= bytes.length * 8))
    throw new RibbonError("KEY", `${quote(value)} is no inet`, {
      hint: "Write it like 10.0.0.1/8 or 2001:db8::1.",
    });
  return Uint8Array.of(bytes.length === 4 ? 4 : 6, bits, ...bytes);
}

function lsnWord(value, number) {
  if (typeof value !== "string") return unsigned(value, 64, "pg_lsn");
  const parts = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(value);
  if (!parts)
    throw new RibbonError("KEY", `${quote(value)} is no pg_lsn`, { hint: "Write it like 16/B374D848." });
  return (BigInt("0x" + parts[1]) << 32n) | BigInt("0x" + parts[2]);
}

function bitBytes(value, number) {
  const text = textOf(value, number);
  if (/[^01]/.test(text)) throw new RibbonError("KEY", `${quote(text)} is no bit string`);
  const bytes = new Uint8Array(4 + Math.ceil(text.length / 8));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  for (let i = 0; i < text.length; i++) if (text[i] === "1") bytes[4 + (i >> 3)] |= 0x80 >> (i & 7);
  return bytes;
}

function timestampWord(value, number) {
  const time = number === KEY_CLASSES.timestamptz ? timeOf(value) : undefined;
  if (time !== undefined) return instantToMicroseconds(time);
  if (typeof value === "bigint") return signed(value, 64, className(number));
  return timestampToMicroseconds(className(number), textOf(value, number));
}

const FORMS = {
  integer: (value) => BigInt.asUintN(64, signed(value, 64, "integer")),
  text: (value, number) => encodeText(textOf(value, number)),
  bytea: (value) => bytesOf(value, "bytes"),
  uuid: uuidBytes,
  bool: (value, number) =>
    typeof value === "boolean" ? Uint8Array.of(+value) : refuseType(value, number, "true or false"),
  date: (value, number) => little([4, dateToDays(textOf(value, number))]),
  time: (value, number) => timeToMicroseconds(textOf(value, number)),
  timestamp: (value, number) => BigInt.asUintN(64, timestampWord(value, number)),
  timestamptz: (value, number) => BigInt.asUintN(64, timestampWord(value, number)),
  oid: (value) => little([4, unsigned(value, 32, "oid")]),
  float: floatWord,
  macaddr: macBytes,
  macaddr8: macBytes,
  numeric: (value, number) => encoder.encode(numericText(value, number)),
  interval: intervalBytes,
  inet: inetBytes,
  enum: (value, number) => encodeText(textOf(value, number)),
  char: (value, number) => encodeText(trimEnd(textOf(value, number), " ")),
  timetz: (value, number) => {
    const [time, zone] = timetzToParts(textOf(value, number));
    return little([8, time], [4, zone]);
  },
  xid8: (value) => unsigned(value, 64, "xid8"),
  pg_lsn: lsnWord,
  bit: bitBytes,
};

const WORDS = ["integer", "time", "timestamp", "timestamptz", "float", "xid8", "pg_lsn"].map((name) => KEY_CLASSES[name]);

// The canonical form of a class that has these canonical bytes.
export function formOfBytes(bytes, number) {
  if (bytes.length !== 8 || !WORDS.includes(number)) return bytes;
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
}

const FORMS_BY_NUMBER = Object.keys(KEY_CLASSES).map((name) => FORMS[name]);

// The canonical form of a value as a key of the class with this number.
export function formOfValue(value, number) {
  const form = FORMS_BY_NUMBER[number];
  if (form) return form(value, number);
  const name = className(number);
  throw new RibbonError("KEY_TYPE", `${describe(value)} is no key of class ${name}`, {
    hint: number === 0 ? 'Pass new Key(hash, "hash").' : `Pass Key.canonical(bytes, "${name}"), see docs/canonical.md.`,
  });
}
