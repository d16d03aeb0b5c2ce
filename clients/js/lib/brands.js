// brands.js - what a value is, whichever realm it comes from
//
// A frame, a vm context and a test environment have a Uint8Array and a Date of their own, which
// instanceof does not know.  What is asked here are the slots that the language gives such objects.

const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const arrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
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

export const isDate = (value) => typeof value === "object" && value !== null && answers(Date.prototype.getTime, value);

// The bytes of a typed array, a DataView or a buffer; undefined for anything else.
export function asBytes(value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

// An object as { ... } makes it.
export function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// Is it one of the names in a table?
export const isNameOf = (table, name) => typeof name === "string" && Object.hasOwn(table, name);

export const isUrl = (value) =>
  typeof value === "object" && typeof value?.href === "string" && typeof value.protocol === "string";

// A Blob or a Response.
export const isBody = (value) => typeof value === "object" && typeof value?.arrayBuffer === "function";

export const isWasmModule = (value) => Object.prototype.toString.call(value) === "[object WebAssembly.Module]";

// "a Date", "an array", "null".
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  const name = typeof value === "object" ? value.constructor?.name || "object" : typeof value;
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}

// A value in a message: texts, numbers and the like as a program has them, others by what they are.
export function quote(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "object" || typeof value === "function" ? describe(value) : String(value);
}
