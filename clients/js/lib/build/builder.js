// builder.js - an instance of the building module

import { checkStatus } from "../errors.js";
import { Memory } from "../memory.js";
import { instantiate } from "../modules.js";

// An instance for one build, whose memory is gone with it.
class Builder extends Memory {
  put(bytes) {
    const at = this.alloc(bytes.length);
    this.u8.set(bytes, at);
    return at;
  }

  // The bytes that a call with room for their address and number has made.
  made(call) {
    const out = this.alloc(8);
    checkStatus(call(out));
    const { view } = this;
    const at = view.getUint32(out, true);
    return this.u8.slice(at, at + view.getUint32(out + 4, true));
  }

  // The struct Request of src/build.c.
  request({ fpr = 0, kind = 0, width, keyClass, values, asOf }) {
    const members = {
      kind,
      width,
      keyClass,
      hasValues: values ? 1 : 0,
      valueClass: values?.valueClass ?? 0,
      hasNull: values?.hasNull ? 1 : 0,
      seed: values?.seed ?? 0,
      base: values?.base ?? 0n,
      bits: values?.bits ?? 0,
      dictionary: values?.dictionary ? this.put(values.dictionary) : 0,
      dictionaryBytes: values?.dictionary?.length ?? 0,
      hasAsOf: asOf === undefined ? 0 : 1,
      asOf: asOf ?? 0n,
      coding: values?.coding ?? 0,
    };
    const numbers = Object.values(members);
    const at = this.alloc(8 + 8 * numbers.length);
    this.view.setFloat64(at, fpr, true);
    numbers.forEach((number, i) => this.view.setBigInt64(at + 8 + 8 * i, BigInt(number), true));
    return at;
  }
}

export async function newBuilder() {
  const builder = new Builder();
  builder.exports = await instantiate("build", "build");
  return builder;
}
