// filter.js - Filter and RibbonMap: what is in memory

import { buildFilter, checkBytes, shrinkBytes } from "./build/filter.js";
import { buildExact, buildMap } from "./build/records.js";
import { Described, lookupOf } from "./described.js";
import { RibbonError } from "./errors.js";
import { keyList } from "./lists.js";
import { Local } from "./local.js";
import { isNewer, newMarks, newValues } from "./lookup.js";
import { RemoteFilter, RemoteMap } from "./remote/remote.js";
import { readSource } from "./source/source.js";

// The class that a static method is called of; its own, where it is of none, as in all.map(Filter.fromBytes).
const calledOf = (type, own) => (typeof type === "function" ? type : own);

// What a filter and a map have in common.
class Opened extends Described {
  constructor(local) {
    if (!(local instanceof Local))
      throw new RibbonError("OPTION", `a ${new.target.name} is made with ${new.target.name}.open or .build`);
    super(local);
    // what structuredClone and postMessage take along, and comparisons of objects look at
    Object.defineProperty(this, "bytes", { enumerable: true, get: () => this.toBytes() });
  }

  static async open(source, options) {
    const look = async (bytes) => {
      try {
        (await this.fromBytes(bytes)).close();
      } catch (error) {
        if (error.code !== "TRUNCATED") throw error; // and there may be more of it
      }
    };
    return this.fromBytes(await readSource(source, options, look));
  }

  // A copy of its bytes: what the server has in a column, or a file.
  toBytes() {
    const local = lookupOf(this);
    return local.slice(0, local.about.bytes);
  }

  // Check all bytes, as ribbon_check does; true, or an error.
  async check() {
    return checkBytes(this.toBytes());
  }
}

// A filter: is this key in the set?  No means no; yes is wrong for non-members at the rate fpr.
export class Filter extends Opened {
  static name = "Filter"; // which minifiers leave

  // What open does, of bytes: they are copied.
  static async fromBytes(bytes) {
    const local = await Local.open(bytes, false);
    return local.orClose(() => new (calledOf(this, Filter))(local));
  }

  static async build(keys, options) {
    return calledOf(this, Filter).fromBytes(await buildFilter(keys, options));
  }

  // An exact set: no wrong answer for any of these keys, members or others.
  static async buildExact(members, others, options) {
    return calledOf(this, Filter).fromBytes(await buildExact(members, others, options));
  }

  // A filter on a server, which stays there: questions ask for a few bytes of it.
  static async openRemote(url, options) {
    return RemoteFilter.open(url, options);
  }

  has(key) {
    return lookupOf(this).find(key);
  }

  // A byte for each key: 1 if it is in the set.
  hasMany(keys) {
    const list = keyList(keys);
    const [marks, report] = newMarks(list.length);
    lookupOf(this).findMany(list, report);
    return marks;
  }

  // Of an exact set, and a key that has a time: null if that is later than the set knows all keys.
  member(key, time) {
    const found = this.has(key);
    return isNewer(lookupOf(this).about, time) ? null : found;
  }

  // A smaller filter of the same keys, at a higher rate.
  async shrink(fpr) {
    return this.constructor.fromBytes(await shrinkBytes(this.toBytes(), fpr));
  }
}

// A map: the value that a key was built with; undefined for keys that are surely not in it.
export class RibbonMap extends Opened {
  static name = "RibbonMap";

  static async fromBytes(bytes) {
    const local = await Local.open(bytes, true);
    return local.orClose(() => new (calledOf(this, RibbonMap))(local));
  }

  static async build(entries, options) {
    return calledOf(this, RibbonMap).fromBytes(await buildMap(entries, options));
  }

  static async openRemote(url, options) {
    return RemoteMap.open(url, options);
  }

  get valueType() {
    return lookupOf(this).read.type;
  }

  async check() {
    await super.check();
    lookupOf(this).read.check?.();
    return true;
  }

  get(key) {
    const local = lookupOf(this);
    return local.find(key) ? local.read(local.engine.getCode()) : undefined;
  }

  has(key) {
    return this.get(key) !== undefined;
  }

  // The values of many keys, undefined for those that are not there.
  getMany(keys) {
    const list = keyList(keys);
    const local = lookupOf(this);
    const [values, report] = newValues(list.length, local.read);
    local.findMany(list, report);
    return values;
  }
}
