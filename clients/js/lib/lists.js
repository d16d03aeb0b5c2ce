// lists.js - many keys: an array, another iterable, or what is like an array

import { asBytes, describe, isGone, isPlain, plainArray, timeOf, typedArrayName } from "./brands.js";
import { RibbonError } from "./errors.js";
import { Key } from "./keys.js";

// A key, or a value, that stays, where what gives it may give the same object again, with something else in it.
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

// Has it the elements that it says, at least the first and the last?  (JSON of others may be { length: 4294967295 }.)
const isLikeArray = (keys) =>
  Number.isInteger(keys?.length) && (keys.length === 0 || (0 in keys && keys.length - 1 in keys));

// The keys, say, of an iterable, or of what is like an array, as an array of its own.  An array and a Set have each of
// theirs, which stay; others are copied.
export function listOf(keys, what = "keys", copy = own) {
  const isIterable = typeof keys?.[Symbol.iterator] === "function";
  if (typeof keys !== "object" || !(isIterable || isLikeArray(keys))) {
    let hint;
    if (typeof (keys?.[Symbol.asyncIterator] ?? keys?.then) === "function")
      hint = `Wait for the ${what}, and pass an array of them.`;
    else if (isPlain(keys)) hint = `Pass Object.${what === "keys" ? "keys" : "entries"}(object).`;
    throw new RibbonError("OPTION", `${describe(keys)} is no array, or other iterable, of ${what}`, { hint });
  }
  const stay = Array.isArray(keys) || keys[Symbol.iterator] === Set.prototype.values;
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

// Keys whose number is known: an array as it is; of another iterable, which may be gone through but once, one.
export function keyList(keys) {
  if (Array.isArray(keys) && keys[Symbol.iterator] === Array.prototype.values) return keys;
  return typedArrayName(keys) ? typedKeys(keys) : listOf(keys);
}
