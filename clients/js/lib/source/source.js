// source.js - the bytes that a caller means: bytes, a URL, or in Node.js a file's path

import { asBytes, cut, describe, isBody, isUrl, quote } from "../brands.js";
import { RibbonError, checkOptions } from "../errors.js";
import { hasFiles, joined, readFile } from "./files.js";

const TIMEOUT = 30000; // ms
const ATTEMPTS = 4;
export const REQUEST_OPTIONS = ["timeout", "signal", "headers", "fetch"];

// Are these options that request() can take?
export function checkRequestOptions({ timeout = TIMEOUT, signal, headers, fetch = globalThis.fetch }) {
  const wrong = (message, cause) => {
    throw new RibbonError("OPTION", message, { cause });
  };
  if (typeof timeout !== "number" || !(timeout > 0 && timeout < 2 ** 31))
    wrong("timeout is a number of ms, above 0 and below 2^31");
  const methods = [signal?.addEventListener, signal?.removeEventListener];
  if (signal != null && methods.some((method) => typeof method !== "function")) wrong("signal is an AbortSignal");
  if (typeof fetch !== "function") wrong("fetch is a function");
  try {
    new Headers(headers);
  } catch (error) {
    wrong(`headers: ${error.message}`, error);
  }
}

// What Node.js finds of a kept connection that the server has ended meanwhile, as after a laptop has slept. Browsers
// then ask again by themselves.
const ENDED = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

// A response. If a connection ends before it comes, the next one is tried: those that are kept are few.
async function fetchResponse(fetch, url, options) {
  for (let attempts = 1; ; attempts++) {
    try {
      return await fetch(url, options);
    } catch (error) {
      if (options.signal.aborted || attempts === ATTEMPTS || !ENDED.test(error?.cause?.code)) throw error;
    }
  }
}

// A response to a request that is given up after so many ms, with errors as RibbonErrors; done gives up what of its
// body has not been read.  (Signals of browsers before Chrome 98 have no reason.)
export async function request(url, { timeout = TIMEOUT, signal, headers, method, fetch = globalThis.fetch } = {}) {
  const control = new AbortController();
  const giveUp = (reason) => {
    if (!control.signal.aborted) control.reason = reason;
    control.abort(reason);
  };
  const timer = setTimeout(
    () => giveUp(new RibbonError("TIMEOUT", `no answer from ${cut(url)} in ${timeout} ms`)),
    timeout,
  );
  const stop = () => giveUp(signal.reason === undefined ? new DOMException("it was aborted", "AbortError") : signal.reason);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    const response = await fetchResponse(fetch, url, { headers, method, signal: control.signal });
    if (typeof response !== "object" || response === null) throw new TypeError("fetch() gave no response");
    const bytes = (most) => guard(readBody(response, control, most), url, control);
    return { response, bytes, done: () => (finish(), control.abort()) };
  } catch (error) {
    finish();
    throw asRibbonError(error, url, control);
  }

  function finish() {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

// The bytes of a body, but no more than it takes to see that there are more than most of them.
async function readBody(response, control, most = Infinity) {
  if (typeof response.body?.getReader !== "function") return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const parts = [];
  let size = 0;
  const stop = () => reader.cancel().catch(() => {}); // which ends a read that waits
  control.signal.addEventListener("abort", stop);
  try {
    while (size <= most) {
      const { done, value } = await reader.read();
      if (control.signal.aborted) throw control.reason;
      if (done) break;
      parts.push(value);
      size += value.length;
    }
  } finally {
    control.signal.removeEventListener("abort", stop);
  }
  if (size > most) stop();
  return joined(parts, size);
}

async function guard(promise, url, control) {
  try {
    return await promise;
  } catch (error) {
    throw asRibbonError(error, url, control);
  }
}

function asRibbonError(error, url, { signal, reason }) {
  if (signal.aborted) return reason;
  return new RibbonError("NETWORK", `cannot fetch ${cut(url)}: ${error?.cause?.message ?? error?.message ?? error}`, {
    cause: error,
    hint: "If the page is of another origin, the server must allow it (CORS).",
  });
}

async function fetchAll(url, options) {
  checkOptions(options, "{ timeout: 5000 }", REQUEST_OPTIONS);
  options ??= {};
  checkRequestOptions(options);
  const { response, bytes, done } = await request(url, options);
  try {
    if (!response.ok) throw new RibbonError("NETWORK", `cannot fetch ${cut(url)}: status ${response.status}`);
    return await bytes();
  } finally {
    done();
  }
}

// All bytes of a typed array, a buffer, a Blob, a Response or a URL, or of what a filter was cloned to; a string is a
// URL, but a path where there are files.  look is that of readFile.
export async function readSource(source, options, look) {
  const bytes = asBytes(source) ?? asBytes(source?.bytes);
  if (bytes) return bytes;
  if (isBody(source)) return readAll(source);
  if (typeof source !== "string" && !isUrl(source))
    throw new RibbonError("OPTION", `${describe(source)} is no bytes, Blob, Response, URL, or in Node.js a path`);
  const address = typeof source === "string" ? source : source.href;
  const isFile = typeof source === "string" ? !/^(https?|data|blob):/i.test(source) : /^file:/i.test(address);
  return hasFiles && isFile ? readFileOf(address, look) : fetchAll(resolveUrl(address), options);
}

async function readAll(body) {
  if (body.ok === false) throw new RibbonError("NETWORK", `the response has status ${body.status}`);
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    throw new RibbonError("NETWORK", `cannot read a ${body.constructor?.name}: ${error.message}`, { cause: error });
  }
}

async function readFileOf(path, look) {
  try {
    return await readFile(path, look);
  } catch (error) {
    if (error instanceof RibbonError) throw error;
    const isHex = path.startsWith("\\x"); // as psql shows a filter
    throw new RibbonError("FILE", `cannot read ${cut(path)}: ${cut(error.message)}`, {
      cause: error,
      hint: isHex ? 'Of hexadecimal digits, pass Buffer.from(text.slice(2), "hex").' : undefined,
    });
  }
}

// The whole address of a URL, a text, or what a remote filter was cloned to.
export function resolveUrl(source) {
  const address = isUrl(source) ? source.href : (source?.url ?? source);
  try {
    if (typeof address === "string") return new URL(address, globalThis.location?.href).href;
  } catch {
    // as for what is no text
  }
  throw new RibbonError("OPTION", `${quote(address)} is no URL`, {
    hint: "Where there is no page, an address begins with https://.",
  });
}
