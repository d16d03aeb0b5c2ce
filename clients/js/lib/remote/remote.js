// remote.js - RemoteFilter and RemoteMap: what stays on a server

import { withoutParts } from "../classes.js";
import { Described, checkKind, isNewer, isUntyped, lookupOf } from "../described.js";
import { RibbonError } from "../errors.js";
import { canonicalForm } from "../keys.js";
import { keyList } from "../lists.js";
import { newMarks, newValues } from "../lookup.js";
import { Sliced } from "./sliced.js";
import { statsOf } from "../stats.js";
import { valueReader } from "../values.js";

const MOST_DICTIONARY = 1 << 30; // bytes, which a value on the server has at most

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

// Open a filter or a map, of which make makes a RemoteFilter or RemoteMap.
async function open(url, options, isMap, make) {
  const sliced = await Sliced.open(url, options);
  try {
    checkKind(sliced.about, isMap, "openRemote");
    return await make(sliced);
  } catch (error) {
    sliced.close();
    throw error;
  }
}

// Filter's questions, as promises.
export class RemoteFilter extends Remote {
  static name = "RemoteFilter"; // which minifiers leave

  static async open(url, options) {
    return open(url, options, false, (sliced) => new this(sliced));
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

// The reader of a map's values.  Its dictionary is fetched when it is opened.
async function readerOf({ about, pages }) {
  const { dictionaryAt: at, dictionaryBytes: length } = about;
  if (length > MOST_DICTIONARY) throw new RibbonError("CORRUPT", "the map's dictionary is larger than any can be");
  return valueReader(about, length > 0 ? await pages.whole(at, length) : new Uint8Array(0));
}

// RibbonMap's questions, as promises.
export class RemoteMap extends Remote {
  static name = "RemoteMap";
  #read;

  constructor(sliced, read) {
    super(sliced);
    this.#read = read;
  }

  static async open(url, options) {
    return open(url, options, true, async (sliced) => new this(sliced, await readerOf(sliced)));
  }

  get stats() {
    return statsOf(lookupOf(this).about, this.#read);
  }

  async get(key) {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys) {
    const list = keyList(keys);
    const [values, report] = newValues(list.length, this.#read);
    await lookupOf(this).findMany(list, report);
    return values;
  }

  async has(key) {
    return (await this.get(key)) !== undefined;
  }
}
