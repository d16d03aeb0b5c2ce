// lookup.js - what an engine has opened, and how many keys are asked for
//
// The bytes are in memory (local.js), or most of them are on a server (sliced.js).  Either is opened as a map or as a
// filter; of a map, read makes values of codes (values.js).  Either has findMany(keys, report),
// which tells report of some keys at a time; that on a server returns a promise of its end.  report(engine, first, n,
// found, codes) is told at which addresses there are a byte for each of the keys first .. first + n - 1, whether it is
// there, and a word, which is its value's code if it is.

import { KEY_CLASSES, withoutParts } from "./classes.js";
import { RibbonError } from "./errors.js";
import { timestamptzOf } from "./keys.js";
import { KINDS, nameOf } from "./kinds.js";

// At most once of each, by whoever comes first.
function release({ engine, blocks }) {
  for (const at of blocks.splice(0)) engine.free(at);
}

// What is not referred to any more is freed; where a runtime does not tell, only what is closed.
const abandoned =
  typeof FinalizationRegistry === "function" ? new FinalizationRegistry(release) : { register() {}, unregister() {} };

export class Lookup {
  #about;
  #memory;
  isClosed = false;
  read; // of a map, a function from a code to a value

  // about is what engine.open has returned; at is where its bytes are, or 0.
  constructor(engine, at, about) {
    this.engine = engine;
    this.#about = about;
    this.#memory = { engine, blocks: [at, about.opened] };
    abandoned.register(this, this.#memory, this);
  }

  get about() {
    if (this.isClosed) throw new RibbonError("CLOSED", "it has been closed");
    return this.#about;
  }

  // What use returns, or what that promises; if it fails, this is closed.
  async orClose(use) {
    try {
      return await use();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  // Free its memory now, and not when it is no longer referred to.
  close() {
    this.isClosed = true;
    abandoned.unregister(this);
    release(this.#memory);
  }
}

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

// Tell report of key i, which the engine has just been asked for.
export function reportOne(report, engine, i, found) {
  engine.u8[engine.scratch] = +found;
  report(engine, i, 1, engine.scratch, engine.code);
}

// Bytes for n keys, 1 for those that are there, and the report that sets them.
export function newMarks(n) {
  const marks = new Uint8Array(n);
  return [marks, ({ u8 }, first, count, found) => marks.set(u8.subarray(found, found + count), first)];
}

// The same of a map's values, which its read makes of codes; undefined for those that are not there.
export function newValues(n, read) {
  const values = new Array(n).fill(undefined);
  const report = ({ u8, view }, first, count, found, codes) => {
    for (let i = 0; i < count; i++)
      if (u8[found + i]) values[first + i] = read(view.getBigUint64(codes + 8 * i, true));
  };
  return [values, report];
}
