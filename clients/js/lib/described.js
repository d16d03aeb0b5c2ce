// described.js - Described: what a filter or map is, said by itself

import { className } from "./classes.js";
import { statsOf, summaryOf } from "./stats.js";

// What Node.js asks for a text, for console.log.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

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
    return statsOf(this.#lookup);
  }

  close() {
    this.#lookup.close();
  }

  toString() {
    const { name } = this.constructor;
    return this.#lookup.isClosed ? `${name}, closed` : summaryOf(name, this.#lookup.about);
  }
}

// What finds the keys of a Described: for the classes of this package alone.
export const lookupOf = getLookup;
