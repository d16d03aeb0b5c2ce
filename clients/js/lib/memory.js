// memory.js - the memory of an instance of a module

import { RibbonError } from "./errors.js";

// Copy bytes to a place in the room that there is for them. There may be more by now, where their memory can grow, or
// none, where it has been transferred: an error of this code.
export function putBytes(room, bytes, at = 0, code = "KEY") {
  try {
    room.set(bytes, at);
  } catch {
    throw new RibbonError(code, "bytes have changed their size while they were read");
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
