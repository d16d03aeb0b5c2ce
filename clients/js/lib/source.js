// source.js - the bytes that a caller means: bytes, a URL, or in Node.js a file's path

import { RibbonError } from "./errors.js";
import { isNode, readFile } from "./modules.js";

const TIMEOUT = 30000; // ms

// Are these options that request() can take?
export function checkRequestOptions({ timeout = TIMEOUT, signal, headers, fetch = globalThis.fetch }) {
  const wrong = (message, cause) => {
    throw new RibbonError("OPTION", message, { cause });
  };
  if (typeof timeout !== "number" || !(timeout > 0 && timeout < 2 ** 31))
    wrong("timeout is a number of ms, above 0 and below 2^31");
  if (signal != null && typeof signal.addEventListener !== "function") wrong("signal is an AbortSignal");
  if (typeof fetch !== "function") wrong("fetch is a function");
  try {
    new Headers(headers ?? {});
  } catch (error) {
    wrong(`headers: ${error.message}`, error);
  }
}

// A response to a request that is given up after so many ms, with errors as RibbonErrors.
export async function request(url, { timeout = TIMEOUT, signal, headers, method, fetch = globalThis.fetch } = {}) {
  const control = new AbortController();
  const timer = setTimeout(
    () => control.abort(new RibbonError("TIMEOUT", `no answer from ${url} in ${timeout} ms`)),
    timeout,
  );
  const stop = () => control.abort(signal.reason);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    const response = await fetch(url, { headers, method, signal: control.signal });
    const bytes = (most) => guard(readBody(response, most, control.signal), url, control.signal);
    return { response, bytes, done: () => finish() };
  } catch (error) {
    finish();
    throw asRibbonError(error, url, control.signal);
  }

  function finish() {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

// The bytes of a body, but no more than it takes to see that there are more than most of them.
async function readBody(response, most = Infinity, signal) {
  const reader = response.body?.getReader();
  const parts = [];
  let size = 0;
  const stop = () => reader?.cancel().catch(() => {}); // which ends a read that waits
  signal.addEventListener("abort", stop);
  try {
    while (reader && size <= most) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) break;
      parts.push(value);
      size += value.length;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (size > most) stop();
  const bytes = new Uint8Array(size);
  for (let i = 0, at = 0; i < parts.length; at += parts[i++].length) bytes.set(parts[i], at);
  return bytes;
}

async function guard(promise, url, signal) {
  try {
    return await promise;
  } catch (error) {
    throw asRibbonError(error, url, signal);
  }
}

function asRibbonError(error, url, signal) {
  if (signal.aborted) return signal.reason;
  return new RibbonError("NETWORK", `cannot fetch ${url}: ${error?.cause?.message ?? error?.message ?? error}`, {
    cause: error,
    hint: "If the page is of another origin, the server must allow it (CORS).",
  });
}

async function fetchAll(url, options) {
  options ??= {};
  checkRequestOptions(options);
  const { response, bytes, done } = await request(url, options);
  try {
    if (!response.ok) throw new RibbonError("NETWORK", `cannot fetch ${url}: status ${response.status}`);
    return await bytes();
  } finally {
    done();
  }
}

// All bytes of a Uint8Array, ArrayBuffer, Blob, Response or URL; a string is a URL, but a path in Node.js.
export async function readSource(source, options) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (typeof Blob !== "undefined" && source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  if (typeof Response !== "undefined" && source instanceof Response) return new Uint8Array(await source.arrayBuffer());
  if (typeof source !== "string" && !(source instanceof URL))
    throw new RibbonError("OPTION", "open takes bytes, a URL, or in Node.js a path");
  if (isNode && (source instanceof URL ? source.protocol === "file:" : !/^(https?|data|blob|file):/.test(source)))
    return readFileOf(source);
  if (isNode && typeof source === "string" && source.startsWith("file:")) return readFileOf(new URL(source));
  return fetchAll(resolveUrl(source), options);
}

async function readFileOf(path) {
  try {
    return await readFile(path);
  } catch (error) {
    throw new RibbonError("FILE", `cannot read ${path}: ${error.message}`, { cause: error });
  }
}

export function resolveUrl(source) {
  try {
    return new URL(source, globalThis.location?.href).href;
  } catch (error) {
    throw new RibbonError("OPTION", `${JSON.stringify(String(source))} is no URL`, { cause: error });
  }
}
