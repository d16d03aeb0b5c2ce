// filter.js - filters are built, checked and shrunk

import { typedArrayName } from "../brands.js";
import { newBuilder } from "./builder.js";
import { RibbonError, checkStatus } from "../errors.js";
import { Hashes, addKeys, classOfKeys, firstOf } from "./hashes.js";
import { keyList, listOf } from "../lists.js";
import { checkRate, readOptions } from "./options.js";

// The bytes of a filter of these keys; null is none.
export async function buildFilter(keys, given) {
  const options = readOptions(given);
  keys = typedArrayName(keys) ? keyList(keys).slice() : listOf(keys); // for a caller may go on with its own
  const keyClass = classOfKeys(options.key, typedArrayName(keys) === "BigInt64Array" ? 0n : firstOf(keys));
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass });
  checkStatus(builder.exports.check_params(request));
  const hashes = new Hashes(builder, keys.length, 1);
  addKeys(hashes, keys, keyClass, options.key !== undefined);
  const at = hashes.end();
  return builder.made((out) => builder.exports.build(request, at, hashes.n, out));
}

export async function checkBytes(bytes) {
  const builder = await newBuilder();
  checkStatus(builder.exports.check(builder.put(bytes), bytes.length));
  return true;
}

export async function shrinkBytes(bytes, fpr) {
  checkRate(fpr);
  const builder = await newBuilder();
  const at = builder.put(bytes);
  return builder.made((out) => builder.exports.shrink(at, bytes.length, fpr, out));
}

// The bytes that a filter of so many keys can be expected to take.
export async function expectedBytes(keys, given) {
  const options = readOptions(given);
  if (!Number.isInteger(keys) || keys < 0 || keys > 2 ** 48)
    throw new RibbonError("OPTION", "the number of keys is an integer from 0 to 2^48");
  const builder = await newBuilder();
  const request = builder.request({ ...options, keyClass: 0 });
  checkStatus(builder.exports.check_params(request));
  return builder.exports.expected_bytes(request, keys);
}
