// write.js - the canonical forms of many keys to memory, one behind the other

import { KEY_CLASSES } from "./classes.js";
import { RibbonError } from "./errors.js";
import { encodeText } from "./forms.js";
import { canonicalForm } from "./keys.js";
import { putBytes } from "./memory.js";

// A canonical form, or a text as it is: it becomes UTF-8 where it is written.
export function formToWrite(key, number) {
  return typeof key === "string" && number === KEY_CLASSES.text ? key : canonicalForm(key, number);
}

// Bytes that it takes at most.
export function roomFor(form) {
  return typeof form === "bigint" ? 8 : typeof form === "string" ? 3 * form.length : form.length;
}

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

// Write forms from an address on, where there is room for so many bytes, and from ends on where each of them ends,
// counted from there.  Bytes in memory that can grow may be more by now: a key that is read may be a program's own.
export function writeForms({ u8, view }, forms, at, room, ends) {
  const bytes = u8.subarray(at, at + room);
  let end = 0;
  for (let i = 0; i < forms.length; i++) {
    const form = forms[i];
    if (typeof form === "string") end += writeText(u8, at + end, form);
    else if (typeof form === "bigint") {
      view.setBigUint64(at + end, form, true);
      end += 8;
    } else {
      const { length } = form;
      if (end + length > room) throw new RibbonError("KEY", "a key has grown while it was read");
      putBytes(bytes, form, end);
      end += length;
    }
    view.setUint32(ends + 4 * i, end, true);
  }
}
