// chain.js - Chain: an exact set, and the later ones that correct it
//
// A key is a member if an odd number of the parts contain it.  Questions are answered at once, or by
// promises if a part is on a server: then all parts are asked at the same time.

import { describe } from "./brands.js";
import { KEY_CLASSES } from "./classes.js";
import { Shown, lookupOf } from "./described.js";
import { RibbonError } from "./errors.js";
import { Filter } from "./filter.js";
import { canonicalForm } from "./keys.js";
import { keyList, listOf } from "./lists.js";
import { isNewer } from "./lookup.js";
import { readExactOptions } from "./build/options.js";
import { RemoteFilter } from "./remote/remote.js";

// Is it in an odd number of sets?
const oddOne = (found) => found.filter(Boolean).length % 2 === 1;

function oddOnes(found) {
  const [answers, ...others] = found;
  for (const other of others) for (let i = 0; i < answers.length; i++) answers[i] ^= other[i];
  return answers;
}

const isSet = (part) => part instanceof Filter || part instanceof RemoteFilter;

// A set of nothing may be of no class.
const hasClass = (part) => part.keyClass !== "hash";

function checkParts(parts) {
  if (parts.length === 0) throw new RibbonError("OPTION", "a chain has at least one part");
  const keyClass = parts.find((part) => isSet(part) && hasClass(part))?.keyClass;
  parts.forEach((part, i) => {
    if (!isSet(part))
      throw new RibbonError("OPTION", `part ${i} of a chain is ${describe(part)}, and no filter`, {
        hint: "Open it with Filter.open or Filter.openRemote.",
      });
    if (part.stats.kind !== "exact")
      throw new RibbonError("EXACT", `part ${i} of a chain is of kind ${part.stats.kind}, and no exact set`, {
        hint: "Build it with Filter.buildExact, or with ribbon_build_exact on the server.",
      });
    if (hasClass(part) && part.keyClass !== keyClass)
      throw new RibbonError("KEY_TYPE", `part ${i} of a chain has keys of class ${part.keyClass}, others ${keyClass}`);
  });
}

export class Chain extends Shown {
  #isRemote;
  #line; // which says what it is, when a part has been closed, too

  constructor(parts) {
    super();
    if (typeof parts?.[Symbol.iterator] !== "function")
      throw new RibbonError("OPTION", `a chain is of an array of filters, not of ${describe(parts)}`);
    // what structuredClone takes along, and comparisons of objects look at
    Object.defineProperty(this, "parts", { enumerable: true, value: Object.freeze(Array.from(parts)) });
    checkParts(this.parts);
    this.#isRemote = this.parts.some((part) => part instanceof RemoteFilter);
    const { length } = this.parts;
    const sets = `${length} exact ${length === 1 ? "set" : "sets"}`;
    this.#line = `Chain of ${sets} of class ${this.keyClass}, fpr ${Number(this.fpr.toPrecision(3))}`;
  }

  get keyClass() {
    return (this.parts.find(hasClass) ?? this.parts[0]).keyClass;
  }

  // A key that no part was built from passes at about the sum of their rates.
  get fpr() {
    return Math.min(
      1,
      this.parts.reduce((sum, { fpr }) => sum + fpr, 0),
    );
  }

  get asOf() {
    return this.parts.at(-1).stats.asOf;
  }

  has(key) {
    return this.#ask(() => [(part) => part.has(key), oddOne]);
  }

  // A byte for each key: 1 if it is a member.
  hasMany(keys) {
    return this.#ask(() => {
      const list = keyList(keys);
      return [(part) => part.hasMany(list), oddOnes];
    });
  }

  // The same of a key that has a time: null if it is newer than the last part, and then no part is asked.
  member(key, time) {
    return this.#ask(() => {
      if (!isNewer(lookupOf(this.parts.at(-1)).about, time)) return [(part) => part.has(key), oddOne];
      if (hasClass(this)) canonicalForm(key, KEY_CLASSES[this.keyClass]); // which throws, if it is no key of this class
      return [() => null, () => null];
    });
  }

  // The next part: an exact set of the keys about which this chain is wrong now.
  async delta(members, others, options) {
    const sides = [listOf(members), listOf(others)];
    const { key = this.parts.some(hasClass) ? this.keyClass : undefined } = readExactOptions(options);
    const given = { ...options, key };
    const wrong = [];
    const right = [];
    for (const [i, keys] of sides.entries()) {
      const list = keys.filter((key) => key !== null);
      const found = await this.hasMany(list);
      list.forEach((key, k) => (found[k] === i ? wrong : right).push(key));
    }
    try {
      return await Filter.buildExact(wrong, right, given);
    } catch (error) {
      if (error.code === "CONFLICT") await Filter.buildExact(...sides, given); // which says where it is in these
      throw error;
    }
  }

  toString() {
    return this.#line;
  }

  // begin says what to ask each part, and what to make of the answers.
  #ask(begin) {
    if (this.#isRemote) return this.#askRemote(begin);
    const [question, combine] = begin();
    return combine(this.parts.map(question));
  }

  // An error is a rejection, whichever part it is of, and is waited for.
  async #askRemote(begin) {
    const [question, combine] = begin();
    return combine(await Promise.all(this.parts.map(async (part) => question(part))));
  }
}
