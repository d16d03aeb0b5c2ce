// options.js - the options of what is built, read and checked

import { RibbonError, checkChoice, checkOptions } from "../errors.js";
import { timestamptzOf } from "../keys.js";
import { CODINGS, KINDS } from "../kinds.js";

const FILTER_KINDS = ["burr", "homogeneous", "auto"];
const WIDTHS = [32, 64, 128];
export const MOST_SEED = 0xffffffff;

// Those that are given, and not undefined.
function optionsOf(given, names) {
  checkOptions(given, "{ fpr: 0.01 }", names);
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}

export function checkRate(fpr) {
  if (typeof fpr !== "number") throw new RibbonError("FPR", "fpr is a number, such as 0.01");
}

// 0 is that of the kind.
function checkWidth(width) {
  if (width !== 0) checkChoice("width", width, WIDTHS);
}

// Those of a filter, and others that are not looked at here.  kind is a number.
export function readOptions(given, others = []) {
  const names = ["fpr", "kind", "width", "key", ...others];
  const options = { fpr: 0.01, kind: "burr", width: 0, ...optionsOf(given, names) };
  checkRate(options.fpr);
  checkChoice("kind", options.kind, FILTER_KINDS);
  checkWidth(options.width);
  return { ...options, kind: KINDS[options.kind] };
}

// Those of a map: code is a number, too.
export function readMapOptions(given) {
  const options = { seed: 0, code: "auto", ...readOptions(given, ["value", "seed", "code"]) };
  const { seed, code, kind } = options;
  checkChoice("code", code, Object.keys(CODINGS));
  if (!Number.isInteger(seed) || seed < 0 || seed > MOST_SEED)
    throw new RibbonError("OPTION", `seed is an integer from 0 to ${MOST_SEED}`);
  if (kind !== KINDS.burr)
    throw new RibbonError("OPTION", "a map is of kind burr", { hint: "Homogeneous filters hold no values." });
  return { ...options, code: CODINGS[code] };
}

// Those of an exact set: asOf is in microseconds.  To the core a rate of 1 is none; so one that is given is refused.
export function readExactOptions(given) {
  const { fpr, key, width = 0, asOf } = optionsOf(given, ["fpr", "key", "width", "asOf"]);
  checkWidth(width);
  if (fpr !== undefined) checkRate(fpr);
  return {
    key,
    width,
    kind: KINDS.exact,
    fpr: fpr === 1 ? NaN : (fpr ?? 1),
    asOf: asOf === undefined ? undefined : timestamptzOf(asOf),
  };
}
