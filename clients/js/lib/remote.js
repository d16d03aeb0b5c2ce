// remote.js - filters and maps that stay on a server, by HTTP range requests
//
// The core asks for the slices that a question takes.  Those that are not here yet it sees as zeros,
// which is what most thresholds are: so the next slice, too, is foreseen in nine of ten cases, and a
// question takes two small requests side by side.  Once they have come the core is asked again, until
// nothing was missing.

import { KEY_CLASSES } from "./classes.js";
import { Held, abandoned, engineFor } from "./engine.js";
import { RibbonError } from "./errors.js";
import { checkSeed } from "./hashes.js";
import { canonicalForm } from "./keys.js";
import { keyList } from "./lists.js";
import { Pages } from "./pages.js";
import { resolveUrl } from "./source.js";
import { Described, checkKind, isUntyped } from "./stats.js";
import { valueReader } from "./values.js";

const MOST_ROUNDS = 64; // more than two planes have layers
const MOST_DICTIONARY = 1 << 30; // bytes, which a value on the server has at most

class Remote extends Described {
  #held;
  #pages;
  #about;

  constructor(held, pages, about) {
    if (!(held instanceof Held)) throw new RibbonError("OPTION", `a ${new.target.name} is made with ${new.target.name}.open`);
    super();
    this.#held = held;
    this.#pages = pages;
    this.#about = about;
    abandoned.register(this, held);
    Object.defineProperty(this, "url", { enumerable: true, value: pages.url });
  }

  // Options: page (bytes, 64), headers, signal, timeout (ms, 30000).
  static async open(url, options = {}) {
    const pages = new Pages(resolveUrl(url), options ?? {});
    const engine = await engineFor(0);
    await pages.begin();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      let about, failure;
      const missing = engine.withSlices(
        (at, length) => pages.read(at, length),
        () => {
          try {
            about = engine.open(0, pages.total);
          } catch (error) {
            failure = error;
          }
        },
      );
      if (missing.length === 0) {
        if (failure) throw failure;
        const held = new Held(engine, 0, about.opened);
        try {
          return await this.finish(held, pages, about);
        } catch (error) {
          held.free();
          throw error;
        }
      }
      if (about) engine.free(about.opened);
      await pages.fetch(missing);
    }
    throw new RibbonError("CORRUPT", "the value contradicts itself");
  }

  get about() {
    return this.#about;
  }

  // What has been asked for so far: requests, and bytes of their bodies.
  get traffic() {
    return { requests: this.#pages.requests, bytes: this.#pages.bytesReceived };
  }

  // The codes of many keys: undefined for those that are not there.
  async findMany(keys) {
    const list = keyList(keys);
    if (isUntyped(this.#about)) return new Array(list.length).fill(undefined);
    checkSeed(this.#about);
    const number = this.#about.keyClass & 31;
    const { engine, isFree } = this.#held;
    if (isFree) throw new RibbonError("CLOSED", "it has not been opened");
    const forms = Array.from(list, (key) => canonicalForm(key, number));
    const codes = new Array(forms.length).fill(undefined);
    let left = forms.map((_, i) => i);
    for (let round = 0; left.length > 0; round++) {
      if (round === MOST_ROUNDS) throw new RibbonError("CORRUPT", "the value contradicts itself");
      const missing = [];
      left = left.filter((i) => {
        const lacks = engine.withSlices(
          (at, length) => this.#pages.read(at, length),
          () => {
            const found = engine.probe(this.#about.opened, forms[i], number === KEY_CLASSES.hash);
            codes[i] = found ? engine.getCode() : undefined;
          },
        );
        missing.push(...lacks);
        return lacks.length > 0;
      });
      if (left.length > 0) await this.#pages.fetch(missing);
    }
    this.#pages.trim();
    return codes;
  }
}

// Filter's questions, as promises.  finish makes one of what has been opened, as RemoteMap's does.
export class RemoteFilter extends Remote {
  static name = "RemoteFilter"; // which minifiers leave

  static async finish(held, pages, about) {
    checkKind(about, false, "openRemote");
    return new this(held, pages, about);
  }

  async has(key) {
    return (await this.findMany([key]))[0] !== undefined;
  }

  async hasMany(keys) {
    return Uint8Array.from(await this.findMany(keys), (code) => +(code !== undefined));
  }
}

// RibbonMap's questions, as promises.  The dictionary is fetched when it is opened.
export class RemoteMap extends Remote {
  static name = "RemoteMap";
  #read;

  static async finish(held, pages, about) {
    checkKind(about, true, "openRemote");
    const { dictionaryAt: at, dictionaryBytes: length } = about;
    if (length > MOST_DICTIONARY) throw new RibbonError("CORRUPT", "the map's dictionary is larger than any can be");
    const read = valueReader(about, length > 0 ? await pages.whole(at, length) : new Uint8Array(0));
    const map = new this(held, pages, about);
    map.#read = read;
    return map;
  }

  async get(key) {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys) {
    return (await this.findMany(keys)).map((code) => (code === undefined ? undefined : this.#read(code)));
  }

  async has(key) {
    return (await this.get(key)) !== undefined;
  }
}
