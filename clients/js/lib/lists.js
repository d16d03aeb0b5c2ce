// lists.js - many keys: an array, another iterable, or what is like an array

import { asBytes, describe, isGone, isPlain, isText, plainArray, timeOf, typedArrayName } from "./brands.js";
import { RibbonError } from "./errors.js";
import { Key } from "./keys.js";

// A copy of a key or a value: an iterable may give the same object again, with something else in it.
export function own(key) {
  if (typeof key !== "object" || key === null || key instanceof Key) return key;
  const name = typedArrayName(key);
  if (name) return isGone(key) ? key : new globalThis[name](key);
  if (isPlain(key)) return { ...key };
  const time = timeOf(key);
  if (time !== undefined) return new Date(time);
  const bytes = asBytes(key);
  if (!bytes) return key;
  const copy = new Uint8Array(bytes);
  return ArrayBuffer.isView(key) ? new DataView(copy.buffer) : copy;
}

// Does it have as many elements as its length says?  The first and the last are looked for, since JSON may be
// { length: 4294967295 } alone.
const isLikeArray = (keys) =>
  Number.isInteger(keys?.length) && (keys.length === 0 || (0 in keys && keys.length - 1 in keys));

// A new array of the elements of an iterable, or of what is like an array; what names them in errors.  An array and a
// Set keep their elements; another iterable may give one object again and again, so copy is called of each.
export function listOf(keys, what = "keys", copy = own) {
  const isIterable = typeof keys?.[Symbol.iterator] === "function";
  if (typeof keys !== "object" || isText(keys) || !(isIterable || isLikeArray(keys))) {
    let hint;
    if (typeof (keys?.[Symbol.asyncIterator] ?? keys?.then) === "function")
      hint = `Wait for the ${what}, and pass an array of them.`;
    else if (isPlain(keys)) hint = `Pass Object.${what === "keys" ? "keys" : "entries"}(object).`;
    throw new RibbonError("OPTION", `${describe(keys)} is no array, or other iterable, of ${what}`, { hint });
  }
  const stay = [Array.prototype.values, Set.prototype.values].includes(keys[Symbol.iterator]);
  return stay ? Array.from(keys) : Array.from(typedArrayName(keys) ? typedKeys(keys) : keys, copy);
}

// Keys of a typed array.  Bytes are one key, and not as many as there are of them.
function typedKeys(keys) {
  if (typedArrayName(keys).startsWith("Uint8"))
    throw new RibbonError("KEY_TYPE", `${describe(keys)} is one key, where there are to be many`, {
      hint: "Pass [bytes]; or Array.from(bytes), where each byte is an integer.",
    });
  try {
    return plainArray(keys);
  } catch {
    throw new RibbonError("KEY_TYPE", `${describe(keys)} has no keys`);
  }
}

// Keys as an array, or as a typed array of integers, which have a length.  Of another iterable, which may give its keys
// only once, that is a new array.
export function keyList(keys) {
  if (Array.isArray(keys) && keys[Symbol.iterator] === Array.prototype.values) return keys;
  return typedArrayName(keys) ? typedKeys(keys) : listOf(keys);
}
