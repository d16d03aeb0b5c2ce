// brands.js - what a value is, whichever realm it comes from
//
// A frame, a vm context and a test environment have a Uint8Array and a Date of their own, which
// instanceof does not know.  What is asked here are the slots that the language gives such objects.

const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const arrays = Object.getPrototypeOf(Uint8Array.prototype);
const arrayName = getterOf(arrays, Symbol.toStringTag);
const arrayLength = getterOf(arrays, "length");
const arrayBuffer = getterOf(arrays, "buffer");
const arrayOffset = getterOf(arrays, "byteOffset");
const arrayKeys = arrays.keys;
const getTime = Date.prototype.getTime;
const bufferLengths = [ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((type) => typeof type === "function")
  .map((type) => getterOf(type.prototype, "byteLength"));

function answers(method, value) {
  try {
    method.call(value);
    return true;
  } catch {
    return false;
  }
}

// The name of a typed array's type; undefined for anything else.
export const typedArrayName = (value) => arrayName.call(value);

export const isBuffer = (value) =>
  typeof value === "object" && value !== null && bufferLengths.some((length) => answers(length, value));

// What new String() makes.
export const isText = (value) => answers(String.prototype.valueOf, value);

// The ms of a Date; undefined for anything else.  That is told slowly, by an error that is caught: but quickly of a
// buffer, as digests are.
export function timeOf(value) {
  if (typeof value !== "object" || value === null || value instanceof ArrayBuffer) return undefined;
  try {
    return getTime.call(value);
  } catch {
    return undefined;
  }
}

export const isDate = (value) => timeOf(value) !== undefined;

const isMemory = (value) => ArrayBuffer.isView(value) || isBuffer(value);

// The bytes of a typed array, a DataView or a buffer; undefined for anything else, and where the memory is gone.
// A type that extends Uint8Array may have a length of its own: then they are in another array, which has the right one.
export function asBytes(value) {
  try {
    // quickly, as most are
    if (value instanceof Uint8Array && value.length > 0 && value.length === arrayLength.call(value)) return value;
    if (!isMemory(value)) return undefined;
    if (!typedArrayName(value)) {
      const { buffer = value, byteOffset, byteLength } = value;
      return new Uint8Array(buffer, byteOffset, byteLength);
    }
    const { buffer, byteOffset, byteLength } = plainArray(value);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    return undefined;
  }
}

// A typed array as the language has it: one of a type that extends it may have a length and methods of its own.
// Throws, where the memory is gone.
export function plainArray(value) {
  const length = arrayLength.call(value);
  if (length === 0) arrayKeys.call(value); // throws, if it is outside of its buffer
  return new globalThis[typedArrayName(value)](arrayBuffer.call(value), arrayOffset.call(value), length);
}

// Has the memory been transferred, to a worker, say, or cut so that this is beyond its end?
export const isGone = (value) => isMemory(value) && asBytes(value) === undefined;

// An object as { ... } makes it.
export function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const isUrl = (value) =>
  typeof value === "object" && typeof value?.href === "string" && typeof value.protocol === "string";

// A Blob or a Response.
export const isBody = (value) => typeof value === "object" && typeof value?.arrayBuffer === "function";

export const isWasmModule = (value) => Object.prototype.toString.call(value) === "[object WebAssembly.Module]";

// "a Date", "an array", "null".
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  const given = typeof value === "object" ? value.constructor?.name : typeof value;
  const name = typeof given === "string" && given !== "" ? given : "object"; // a proxy may give anything
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}${isGone(value) ? " whose memory has been transferred or cut" : ""}`;
}

// So much of a text as a message has room for.
export const cut = (text) => (text.length > 100 ? `${text.slice(0, 100)}...` : text);

// A value in a message: texts, numbers and the like as a program has them, others by what they are.
export function quote(value) {
  if (typeof value === "string") return cut(JSON.stringify(value));
  if (typeof value === "bigint") return cut(`${value}n`);
  return typeof value === "object" || typeof value === "function" ? describe(value) : String(value);
}
