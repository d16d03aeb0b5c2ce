// pages.js - the bytes of a file on a server, by page
//
// Slices are widened to pages, which are kept for later questions; neighbours come with one request.

import { RibbonError } from "../errors.js";
import { checkRequestOptions, request } from "../source/source.js";

const HEADER = 2048; // bytes that are asked for at first
const KEPT = 1 << 20; // bytes of pages
const GAP = 256; // bytes that are fetched for nothing rather than with another request
const MOST_REQUESTS = 8; // at a time
const GONE = new Set([401, 403, 404, 410]); // what the target of a redirect says when it is no longer one
const SECRETS = ["Authorization", "Cookie", "Proxy-Authorization"]; // not for another origin, as in fetch

export class Pages {
  #url;
  #target; // where a redirect has led, if it has
  #options;
  #pageBytes;
  #pages = new Map(); // by number; the oldest first
  #coming = new Map(); // promises of those that are on their way
  #waiting = [];
  #running = 0;
  #tag;
  total;
  requests = 0;
  bytesReceived = 0;

  constructor(url, { page = 64, ...options }) {
    if (!Number.isInteger(page) || page < 16 || page > 1 << 24)
      throw new RibbonError("OPTION", "page is a number of bytes, 16 to 16777216");
    checkRequestOptions(options);
    this.#url = url;
    this.#options = options;
    this.#pageBytes = page;
  }

  get url() {
    return this.#url;
  }

  // The first bytes, which also tell how many there are.
  async begin() {
    const size = Math.max(HEADER, this.#pageBytes);
    await this.#load(0, Math.ceil(size / this.#pageBytes));
  }

  // A slice that is too long to be kept, with one request; or as it is here.
  async whole(at, length) {
    return this.read(at, length) ?? this.#request(at, at + length);
  }

  // A slice, if all of it is here.
  read(at, length) {
    const size = this.#pageBytes;
    const first = Math.floor(at / size);
    const offset = at - first * size;
    if (offset + length <= size) return this.#pages.get(first)?.subarray(offset, offset + length);
    const out = new Uint8Array(length);
    for (let done = 0, number = first; done < length; number++) {
      const page = this.#pages.get(number);
      if (page === undefined) return undefined;
      const part = page.subarray(done === 0 ? offset : 0, (done === 0 ? offset : 0) + length - done);
      out.set(part, done);
      done += part.length;
    }
    return out;
  }

  // Fetch the pages of these slices: neighbours with one request.  Once one has failed, no more are made.
  async fetch(slices) {
    const together = {};
    const numbers = new Set();
    for (const [at, length] of slices)
      for (let i = Math.floor(at / this.#pageBytes); i * this.#pageBytes < at + length; i++)
        if (!this.#pages.has(i)) numbers.add(i);
    const wanted = [...numbers].filter((number) => !this.#coming.has(number)).sort((a, b) => a - b);
    for (let i = 0, end; i < wanted.length; i = end) {
      end = i + 1;
      while (end < wanted.length && (wanted[end] - wanted[end - 1] - 1) * this.#pageBytes <= GAP) end++;
      this.#start(wanted[i], wanted[end - 1] + 1, together);
    }
    const coming = [...numbers].map((number) => this.#coming.get(number));
    for (const result of await Promise.allSettled(coming)) if (result.status === "rejected") throw result.reason;
  }

  clear() {
    this.#pages.clear();
  }

  // Forget the oldest pages, but only while none is waited for.
  trim() {
    if (this.#coming.size > 0) return;
    let surplus = this.#pages.size - Math.max(KEPT / this.#pageBytes, 16);
    for (const number of this.#pages.keys()) {
      if (surplus-- <= 0) return;
      this.#pages.delete(number);
    }
  }

  #start(first, end, together) {
    const done = this.#load(first, end, together).finally(() => {
      for (let i = first; i < end; i++) this.#coming.delete(i);
    });
    for (let i = first; i < end; i++) this.#coming.set(i, done);
  }

  // Pages first .. end - 1, with one request, as soon as fewer than so many are on their way.
  async #load(first, end, together = {}) {
    if (this.#running >= MOST_REQUESTS) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      if (together.failure) return; // who else waits for these pages asks again
      const at = first * this.#pageBytes;
      const to = Math.min(end * this.#pageBytes, this.total ?? Infinity);
      const bytes = await this.#request(at, to);
      for (let i = first; i < end && (i - first) * this.#pageBytes < bytes.length; i++)
        this.#pages.set(i, bytes.subarray((i - first) * this.#pageBytes, (i + 1 - first) * this.#pageBytes));
    } catch (error) {
      together.failure ??= error;
      throw error;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #request(at, end) {
    const { response, bytes, done } = await this.#ask(`bytes=${at}-${end - 1}`);
    try {
      const [first, total] = await this.#judge(response, at);
      const body = await bytes(end - at);
      this.bytesReceived += body.length;
      if (first !== at || body.length !== Math.min(end, total) - at)
        throw new RibbonError("RANGE", `${this.#url}: the server sent other bytes than it was asked for`);
      return body;
    } finally {
      done();
    }
  }

  // A request to where the last redirect has led; if it is refused there, as a signed address is once it
  // has expired, to the first address again.  Without a range: one for the headers alone.
  async #ask(range) {
    const target = this.#target;
    const url = target ?? this.#url;
    const headers = new Headers(this.#options.headers);
    if (range) headers.set("Range", range);
    if (new URL(url).origin !== new URL(this.#url).origin) for (const name of SECRETS) headers.delete(name);
    const answer = await request(url, { ...this.#options, headers, method: range ? "GET" : "HEAD" });
    const { response, done } = answer;
    this.requests += response.redirected ? 2 : 1;
    if (target !== undefined && GONE.has(response.status)) {
      done();
      if (this.#target === target) this.#target = undefined;
      return this.#ask(range);
    }
    return answer;
  }

  // Is it the part that was asked for, of the same file as before?  Its first byte, and the file's size.
  async #judge(response, at) {
    const refuse = (code, message, hint) => {
      throw new RibbonError(code, `${this.#url}: ${message}`, { hint });
    };
    if (response.redirected && /^https:/.test(this.#url) && !/^https:/.test(response.url))
      refuse("NETWORK", "the server redirects from https to an address that anyone may answer for");
    if (response.status === 200)
      refuse(
        "RANGE",
        "the server ignores range requests, and sends all of the file",
        "Serve it by a server that knows them, or fetch all of it with open().",
      );
    if (response.status === 416)
      refuse(this.total === undefined ? "TRUNCATED" : "CHANGED", "the file ends before the bytes that were asked for");
    if (response.status !== 206) refuse("NETWORK", `status ${response.status}`);
    if (!["", "identity"].includes((response.headers.get("content-encoding") ?? "").toLowerCase()))
      refuse(
        "RANGE",
        "the server compresses what it sends, so that ranges are of other bytes",
        "Switch compression off for this file.",
      );
    const range = response.headers.get("content-range");
    const [, first = at, size = "*"] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(range) ?? [];
    const tag = response.headers.get("etag") ?? response.headers.get("last-modified");
    const total = size === "*" ? (this.total ?? (await this.#size())) : Number(size);
    if ((this.total !== undefined && total !== this.total) || (this.#tag !== undefined && tag !== this.#tag))
      refuse("CHANGED", "the file has changed since it was opened", "Open it again.");
    this.total = total;
    this.#tag = tag ?? undefined;
    if (response.redirected) this.#target = response.url;
    return [Number(first), total];
  }

  // Where a page of another origin is not shown Content-Range, or that does not say it.
  async #size() {
    const { response, done } = await this.#ask();
    done();
    const length = Number(response.headers.get("content-length") ?? NaN);
    if (!response.ok || !Number.isInteger(length))
      throw new RibbonError("RANGE", `${this.#url}: the server does not say how large the file is`, {
        hint: "Let it send Access-Control-Expose-Headers: Content-Range.",
      });
    return length;
  }
}
