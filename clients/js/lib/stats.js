// stats.js - what is said of a filter or map: as an object, as a line, and by itself

import { KEY_CLASSES, className, withoutParts } from "./classes.js";
import { RibbonError } from "./errors.js";
import { CODINGS, KINDS, nameOf } from "./kinds.js";
import { microsecondsToTimestamp } from "./times.js";

// What Node.js asks for a text, for console.log.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

// The bits per key that no structure can do without: log2(1/fpr), and those of a map's codes.  Of an exact set without
// a rate, those that say of each key of the universe whether it is a member.  There must be keys.
function leastBits({ kind, isMap, keys, fpr, universe, hasRate, codeBits }) {
  if (kind !== KINDS.exact || hasRate) return fpr > 0 ? (isMap ? codeBits / keys : 0) - Math.log2(fpr) : 0;
  const others = universe - keys;
  return others > 0 ? Math.log2(universe / keys) + (others / keys) * Math.log2(universe / others) : 0;
}

// What the headers of a filter, or of a map whose values read reads, say of it: the columns of ribbon_stats.
export function statsOf(about, read) {
  const { keys, bytes, isMap } = about;
  const isExact = about.kind === KINDS.exact;
  const isCoded = about.coding === CODINGS.entropy;
  const least = keys > 0 ? leastBits(about) : 0;
  const compared = bytes - about.dictionaryBytes - about.tableBytes;
  return {
    kind: isMap ? "map" : nameOf(KINDS, about.kind),
    keyClass: className(about.keyClass),
    keys,
    fpr: about.fpr,
    ...(isMap && {
      valueType: read.type,
      valueBits: about.valueBits,
      distinctValues: read.count ?? (isCoded ? about.codedValues : null),
      code: nameOf(CODINGS, about.coding),
    }),
    bitsPerKey: keys > 0 ? (8 * bytes) / keys : null,
    overhead: least > 0 ? (8 * compared) / keys / least - 1 : null,
    ribbonWidth: about.width,
    width: about.width,
    layers: about.layers,
    slots: about.slots,
    emptySlots: about.emptySlots,
    bumpedKeys: about.bumpedKeys,
    bytes,
    formatVersion: about.formatVersion,
    ...(isExact && {
      universe: about.universe,
      asOf: about.hasAsOf ? microsecondsToTimestamp(about.asOf, "+00") : null,
    }),
    ...((isMap || isExact) && { seed: about.seed }),
  };
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
