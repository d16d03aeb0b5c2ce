// stats.js - what the headers of a filter or map say of it: as an object, and as a line

import { className } from "./classes.js";
import { CODINGS, KINDS, nameOf } from "./kinds.js";
import { microsecondsToTimestamp } from "./times.js";

// The bits per key that no structure can do without: log2(1/fpr), and those of a map's codes.  Of an exact set without
// a rate, those that say of each key of the universe whether it is a member.  There must be keys.
function leastBits({ kind, isMap, keys, fpr, universe, hasRate, codeBits }) {
  if (kind !== KINDS.exact || hasRate) return fpr > 0 ? (isMap ? codeBits / keys : 0) - Math.log2(fpr) : 0;
  const others = universe - keys;
  return others > 0 ? Math.log2(universe / keys) + (others / keys) * Math.log2(universe / others) : 0;
}

// What the headers of what a lookup has opened say of it: the columns of ribbon_stats.
export function statsOf({ about, read }) {
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

// "Filter of 3 keys of class text, fpr 0.01, 17 bytes"
export function summaryOf(name, about) {
  const keys = `${about.keys} ${about.keys === 1 ? "key" : "keys"} of class ${className(about.keyClass)}`;
  const universe = about.kind === KINDS.exact ? ` in a universe of ${about.universe}` : "";
  return `${name} of ${keys}${universe}, fpr ${Number(about.fpr.toPrecision(3))}, ${about.bytes} bytes`;
}
