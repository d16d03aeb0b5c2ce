// memory.js - the memory of an instance of a module

import { RibbonError } from "./errors.js";

// Copy the first n bytes of an array to an address: it may have more by now, where its memory can grow.
export function putBytes(u8, at, bytes, n) {
  if (n <= 24) for (let i = 0; i < n; i++) u8[at + i] = bytes[i];
  else {
    const { buffer } = bytes;
    const stays = buffer instanceof ArrayBuffer && !buffer.resizable;
    u8.set(stays ? bytes : new Uint8Array(buffer, bytes.byteOffset, n), at);
  }
}

// What exports are set of, once there is an instance.
export class Memory {
  #u8;
  #view;

  // Memory may have grown, and then old views are of no use.
  get u8() {
    if (this.#u8?.buffer !== this.exports.memory.buffer) this.#u8 = new Uint8Array(this.exports.memory.buffer);
    return this.#u8;
  }

  get view() {
    if (this.#view?.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }

  alloc(size) {
    const at = size <= 0xffff0000 ? this.exports.alloc(size) >>> 0 : 0;
    if (at === 0) throw new RibbonError("MEMORY", `out of memory: ${size} bytes in WebAssembly`);
    return at;
  }

  free(at) {
    this.exports.free(at);
  }
}
