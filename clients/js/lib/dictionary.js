// dictionary.js - the texts that a map's codes stand for, as bytes: docs/format.md, section 7

import { RibbonError } from "./errors.js";

export const MOST_TEXTS = 65536;

const damaged = (message) => new RibbonError("CORRUPT", `the map's dictionary is damaged: ${message}`);

// The dictionary in these bytes: type's name, and texts by code.
export function readDictionary(bytes, hasNull, valueBits) {
  let at = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const take = (size) => {
    if (size > bytes.length - at) throw damaged("it ends too early");
    at += size;
    return bytes.subarray(at - size, at);
  };
  const textOf = (part) => {
    try {
      return decoder.decode(part);
    } catch {
      throw damaged("a text is not UTF-8");
    }
  };
  const name = () => {
    const size = take(1)[0];
    if (size === 0) throw damaged("a name is empty");
    return textOf(take(size));
  };
  const type = [name(), name()];
  let count = 0;
  for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) {
    if (shift > 21) throw damaged("too many texts");
    byte = take(1)[0];
    count += (byte & 0x7f) * 2 ** shift;
  }
  const codes = 2 ** Math.min(valueBits, 32) - (hasNull ? 1 : 0);
  if (count > MOST_TEXTS || count > codes) throw damaged("too many texts");
  const size = take(1)[0];
  if (![1, 2, 4].includes(size)) throw damaged("ends of that size");
  const ends = take(count * size);
  const rest = bytes.subarray(at);
  const endOf = (i) => {
    let end = 0;
    for (let k = size; k-- > 0;) end = end * 256 + ends[i * size + k];
    return end;
  };
  for (let i = 0, last = 0; i < count; last = endOf(i++)) if (endOf(i) < last) throw damaged("texts out of order");
  if ((count > 0 ? endOf(count - 1) : 0) !== rest.length) throw damaged("its end");
  const texts = new Array(count);
  const part = (i) => rest.subarray(i > 0 ? endOf(i - 1) : 0, endOf(i));
  return {
    type: type[0] === "pg_catalog" ? type[1] : type.join("."), // as the server shows it
    count,
    text: (i) => (texts[i] ??= textOf(part(i))),
    // what takes a look at every text
    check: () => {
      if (type.join("").includes("\0")) throw damaged("a name has a zero byte");
      for (let i = 0; i < count; i++) {
        if (i > 0 && compareBytes(part(i - 1), part(i)) >= 0) throw damaged("texts out of order");
        if (textOf(part(i)).includes("\0")) throw damaged("a text has a zero byte");
      }
    },
  };
}

export function compareBytes(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
