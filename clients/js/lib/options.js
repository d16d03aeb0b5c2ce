// options.js - the options of what is built, read and checked

import { describe, isNameOf, quote } from "./brands.js";
import { RibbonError } from "./errors.js";
import { timestamptzOf } from "./keys.js";
import { CODINGS, KINDS } from "./kinds.js";

const FILTER_KINDS = ["burr", "homogeneous", "auto"];
const WIDTHS = [0, 32, 64, 128];

// Those that are given, and not undefined.
function optionsOf(given, names) {
  if (given != null && typeof given !== "object")
    throw new RibbonError("OPTION", `options are an object, such as { fpr: 0.01 }, and not ${describe(given)}`);
  for (const name of Object.keys(given ?? {}))
    if (!names.includes(name))
      throw new RibbonError("OPTION", `unknown option ${quote(name)}`, {
        hint: `There are ${names.join(", ")}.`,
      });
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}

export function checkRate(fpr) {
  if (typeof fpr !== "number") throw new RibbonError("FPR", "fpr is a number, such as 0.01");
}

function checkWidth(width) {
  if (!WIDTHS.includes(width))
    throw new RibbonError("OPTION", `unknown width ${quote(width)}`, { hint: "There are 32, 64, 128." });
}

// Those of a filter, and others that are not looked at here.  kind is a number.
export function readOptions(given, others = []) {
  const names = ["fpr", "kind", "width", "key", ...others];
  const options = { fpr: 0.01, kind: "burr", width: 0, ...optionsOf(given, names) };
  checkRate(options.fpr);
  if (!FILTER_KINDS.includes(options.kind))
    throw new RibbonError("OPTION", `unknown kind ${quote(options.kind)}`, {
      hint: `There are ${FILTER_KINDS.join(", ")}.`,
    });
  checkWidth(options.width);
  return { ...options, kind: KINDS[options.kind] };
}

// Those of a map: code is a number, too.
export function readMapOptions(given) {
  const options = { seed: 0, code: "auto", ...readOptions(given, ["value", "seed", "code"]) };
  const { seed, code, kind } = options;
  if (!isNameOf(CODINGS, code))
    throw new RibbonError("OPTION", `unknown code ${quote(code)}`, {
      hint: "There are auto, plain, entropy.",
    });
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new RibbonError("OPTION", "seed is an integer from 0 to 4294967295");
  if (kind === KINDS.homogeneous)
    throw new RibbonError("OPTION", "a map is of kind burr", { hint: "Homogeneous filters hold no values." });
  return { ...options, kind: KINDS.burr, code: CODINGS[code] };
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
