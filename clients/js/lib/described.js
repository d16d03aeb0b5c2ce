// described.js - Described: what a filter or map is, said by itself; and whether it is what it is opened as

import { KEY_CLASSES, className, withoutParts } from "./classes.js";
import { RibbonError } from "./errors.js";
import { timestamptzOf } from "./keys.js";
import { KINDS, nameOf } from "./kinds.js";
import { statsOf, summaryOf } from "./stats.js";

// What Node.js asks for a text, for console.log.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

// Are these the bytes of what they are opened as, a filter or a map?
export function checkKind(about, isMap, open) {
  if (about.isMap && !isMap)
    throw new RibbonError("NOT_A_FILTER", "these are the bytes of a map", { hint: `Open them with RibbonMap.${open}.` });
  if (!about.isMap && isMap)
    throw new RibbonError("NOT_A_MAP", "these are the bytes of a filter", { hint: `Open them with Filter.${open}.` });
}

// A filter of no key, whose class was not known when it was made: any key may be asked for.
export const isUntyped = (about) => about.keys === 0 && withoutParts(about.keyClass) === KEY_CLASSES.hash;

// Is a time after asOf, up to which an exact set knows all keys?  A set of no keys may have none: then any is.
export function isNewer(about, time) {
  const kind = nameOf(KINDS, about.kind);
  if (kind !== "exact") throw new RibbonError("EXACT", `a filter of kind ${kind} is no exact set`);
  if (!about.hasAsOf && about.universe > 0)
    throw new RibbonError("OPTION", "the exact set has no asOf", { hint: "Build it with the option asOf." });
  return !about.hasAsOf || timestamptzOf(time) > about.asOf;
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

// What finds the keys of a Described: for the classes of this package alone.
export const lookupOf = getLookup;
