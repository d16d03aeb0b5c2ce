// remote.js - RemoteFilter and RemoteMap: what stays on a server

import { withoutParts } from "../classes.js";
import { Described, lookupOf } from "../described.js";
import { RibbonError } from "../errors.js";
import { canonicalForm } from "../keys.js";
import { keyList } from "../lists.js";
import { isNewer, isUntyped, newMarks, newValues } from "../lookup.js";
import { Sliced } from "./sliced.js";

class Remote extends Described {
  constructor(sliced) {
    if (!(sliced instanceof Sliced))
      throw new RibbonError("OPTION", `a ${new.target.name} is made with ${new.target.name}.open`);
    super(sliced);
    Object.defineProperty(this, "url", { enumerable: true, value: sliced.pages.url });
  }

  // What has been asked for so far: requests, and bytes of their bodies.
  get traffic() {
    const { requests, bytesReceived } = lookupOf(this).pages;
    return { requests, bytes: bytesReceived };
  }
}

// Filter's questions, as promises.
export class RemoteFilter extends Remote {
  static name = "RemoteFilter"; // which minifiers leave

  static async open(url, options) {
    const sliced = await Sliced.open(url, options, false);
    return sliced.orClose(() => new this(sliced));
  }

  async has(key) {
    return (await this.hasMany([key]))[0] === 1;
  }

  // For a key that is newer no request is made.
  async member(key, time) {
    const { about } = lookupOf(this);
    if (!isNewer(about, time)) return this.has(key);
    if (!isUntyped(about)) canonicalForm(key, withoutParts(about.keyClass)); // which throws, if it is no key
    return null;
  }

  async hasMany(keys) {
    const list = keyList(keys);
    const [marks, report] = newMarks(list.length);
    await lookupOf(this).findMany(list, report);
    return marks;
  }
}

// RibbonMap's questions, as promises.
export class RemoteMap extends Remote {
  static name = "RemoteMap";

  static async open(url, options) {
    const sliced = await Sliced.open(url, options, true);
    return sliced.orClose(() => new this(sliced));
  }

  get valueType() {
    return lookupOf(this).read.type;
  }

  async get(key) {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys) {
    const list = keyList(keys);
    const sliced = lookupOf(this);
    const [values, report] = newValues(list.length, sliced.read);
    await sliced.findMany(list, report);
    return values;
  }

  async has(key) {
    return (await this.get(key)) !== undefined;
  }
}
