// sliced.js - filters and maps that stay on a server, by slices that HTTP range requests bring
//
// The core asks for the slices that a question takes.  Those that are not here yet it sees as zeros,
// which is what most thresholds are: so the next slice, too, is foreseen in nine of ten cases, and a
// question takes two small requests side by side.  Once they have come the core is asked again, until
// nothing was missing.

import { KEY_CLASSES, checkSeed, withoutParts } from "../classes.js";
import { engineFor } from "../engine.js";
import { RibbonError, checkOptions } from "../errors.js";
import { canonicalForm } from "../keys.js";
import { own } from "../lists.js";
import { Lookup, checkKind, isUntyped, reportOne } from "../lookup.js";
import { valueReader } from "../values.js";
import { Pages } from "./pages.js";
import { REQUEST_OPTIONS, resolveUrl } from "../source/source.js";

const MOST_ROUNDS = 64; // more than two planes have layers
const MOST_DICTIONARY = 1 << 30; // bytes, which a value on the server has at most

const endless = () => new RibbonError("CORRUPT", "the value contradicts itself");

export class Sliced extends Lookup {
  constructor(engine, about, pages) {
    super(engine, 0, about);
    this.pages = pages;
  }

  // As a map, or as a filter.  Options: page (bytes, 64), headers, signal, timeout (ms, 30000).
  static async open(url, options, isMap) {
    checkOptions(options, "{ page: 64 }", ["page", ...REQUEST_OPTIONS]);
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
        const sliced = new Sliced(engine, about, pages);
        return sliced.orClose(async () => {
          checkKind(about, isMap, "openRemote");
          if (isMap) sliced.read = valueReader(about, await sliced.#dictionary());
          return sliced;
        });
      }
      if (about) engine.free(about.opened);
      await pages.fetch(missing);
    }
    throw endless();
  }

  close() {
    super.close();
    this.pages.clear();
  }

  async #dictionary() {
    const { dictionaryAt: at, dictionaryBytes: length } = this.about;
    if (length > MOST_DICTIONARY) throw new RibbonError("CORRUPT", "the map's dictionary is larger than any can be");
    return length > 0 ? this.pages.whole(at, length) : new Uint8Array(0);
  }

  async findMany(keys, report) {
    const { about, engine, pages } = this;
    if (isUntyped(about)) return;
    checkSeed(about);
    const number = withoutParts(about.keyClass);
    const forms = Array.from(keys, (key) => canonicalForm(own(key), number)); // which stay, while slices come
    let left = forms.map((_, i) => i);
    for (let round = 0; left.length > 0; round++) {
      if (round === MOST_ROUNDS) throw endless();
      const missing = [];
      left = left.filter((i) => {
        let found;
        const lacks = engine.withSlices(
          (at, length) => pages.read(at, length),
          () => (found = engine.probe(this.about.opened, forms[i], number === KEY_CLASSES.hash)),
        );
        if (lacks.length === 0) reportOne(report, engine, i, found);
        missing.push(...lacks);
        return lacks.length > 0;
      });
      if (left.length > 0) await pages.fetch(missing);
    }
    pages.trim();
  }
}
