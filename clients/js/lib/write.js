// write.js - the canonical forms of many keys to memory, a piece at a time

import { KEY_CLASSES } from "./classes.js";
import { RibbonError } from "./errors.js";
import { encodeText } from "./forms.js";
import { canonicalForm } from "./keys.js";
import { putBytes } from "./memory.js";

// Most texts are short and ASCII, for which this is faster than TextEncoder.
function writeText(u8, at, text) {
  const n = text.length;
  if (n <= 64) {
    let i = 0;
    for (let c; i < n && (c = text.charCodeAt(i)) > 0 && c < 128; i++) u8[at + i] = c;
    if (i === n) return n;
  }
  const bytes = encodeText(text);
  u8.set(bytes, at);
  return bytes.length;
}

// Keys that go to memory together: at most so many of them, and of so many bytes, but for one that is longer.
export class Piece {
  #mostKeys;
  #mostBytes;
  #forms = []; // canonical forms, or texts as they are: these become UTF-8 where they are written
  #bytes = 0;

  constructor(mostKeys, mostBytes) {
    this.#mostKeys = mostKeys;
    this.#mostBytes = mostBytes;
  }

  get length() {
    return this.#forms.length;
  }

  // Room that it takes.
  get bytes() {
    return this.#bytes;
  }

  get isFull() {
    return this.#forms.length >= this.#mostKeys || this.#bytes >= this.#mostBytes;
  }

  add(key, number) {
    const form = typeof key === "string" && number === KEY_CLASSES.text ? key : canonicalForm(key, number);
    this.#forms.push(form);
    this.#bytes += typeof form === "bigint" ? 8 : typeof form === "string" ? 3 * form.length : form.length;
  }

  // Write it from an address on, and from ends on where each key ends, counted from there; it is empty then.  Bytes in
  // memory that can grow may be more by now: a key that is read may be a program's own.
  write({ u8, view }, at, ends) {
    const room = this.#bytes;
    const bytes = u8.subarray(at, at + room);
    let end = 0;
    for (const form of this.#forms) {
      if (typeof form === "string") end += writeText(u8, at + end, form);
      else if (typeof form === "bigint") {
        view.setBigUint64(at + end, form, true);
        end += 8;
      } else {
        const { length } = form;
        if (end + length > room) throw new RibbonError("KEY", "a key has changed its size while it was read");
        putBytes(bytes, form, end);
        end += length;
      }
      view.setUint32(ends, end, true);
      ends += 4;
    }
    this.#forms = [];
    this.#bytes = 0;
  }
}
