// stats.js - what is said of a filter or map: as an object, as a line, and by itself

import { KEY_CLASSES, className, withoutParts } from "./classes.js";
import { RibbonError } from "./errors.js";
import { CODINGS, KINDS, nameOf } from "./kinds.js";
import { microsecondsToTimestamp } from "./times.js";

// What Node.js asks for a text, for console.log.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

// What the header of a filter or map says, as ribbon_stats has it.
function statsOf(about) {
  const stats = {
    kind: nameOf(KINDS, about.kind),
    keyClass: className(about.keyClass),
    keys: about.keys,
    fpr: about.fpr,
    bitsPerKey: about.keys > 0 ? (8 * about.bytes) / about.keys : null,
    width: about.width,
    layers: about.layers,
    slots: about.slots,
    emptySlots: about.emptySlots,
    bumpedKeys: about.bumpedKeys,
    bytes: about.bytes,
  };
  if (about.kind === KINDS.exact) {
    const asOf = about.hasAsOf ? microsecondsToTimestamp(about.asOf, "+00") : null;
    return { ...stats, universe: about.universe, seed: about.seed, asOf };
  }
  if (!about.isMap) return stats;
  return { ...stats, valueBits: about.valueBits, code: nameOf(CODINGS, about.coding), seed: about.seed };
}

// Are these the bytes of what they are opened as, a filter or a map?
export function checkKind(about, isMap, open) {
  if (about.isMap && !isMap)
    throw new RibbonError("NOT_A_FILTER", "these are the bytes of a map", { hint: `Open them with RibbonMap.${open}.` });
  if (!about.isMap && isMap)
    throw new RibbonError("NOT_A_MAP", "these are the bytes of a filter", { hint: `Open them with Filter.${open}.` });
}

// A filter of no key, made where nobody knew of which class one would be: any key may be asked for.
export const isUntyped = (about) => about.keys === 0 && withoutParts(about.keyClass) === KEY_CLASSES.hash;

// "Filter of 3 keys of class text, fpr 0.01, 17 bytes"
function summaryOf(name, about) {
  const keys = `${about.keys} ${about.keys === 1 ? "key" : "keys"} of class ${className(about.keyClass)}`;
  const universe = about.kind === KINDS.exact ? ` in a universe of ${about.universe}` : "";
  return `${name} of ${keys}${universe}, fpr ${Number(about.fpr.toPrecision(3))}, ${about.bytes} bytes`;
}

// What is shown by its text, in JSON and on consoles.
export class Shown {
  // To Vue: it is to leave this as it is, for what is private is not seen through its proxies.
  get __v_skip() {
    return true;
  }

  toJSON() {
    return this.toString();
  }

  [INSPECT]() {
    return this.toString();
  }
}

let getLookup;

// A filter or map, which says what the header of its bytes says.
export class Described extends Shown {
  static #share = (getLookup = (described) => described.#lookup);
  #lookup;

  constructor(lookup) {
    super();
    this.#lookup = lookup;
  }

  get size() {
    return this.#lookup.about.keys;
  }

  get fpr() {
    return this.#lookup.about.fpr;
  }

  get keyClass() {
    return className(this.#lookup.about.keyClass);
  }

  get stats() {
    return statsOf(this.#lookup.about);
  }

  toString() {
    const { name } = this.constructor;
    return this.#lookup.isClosed ? `${name}, closed` : summaryOf(name, this.#lookup.about);
  }
}

// What finds the keys of a Described: for the classes that extend it, and nobody else.
export const lookupOf = getLookup;
