// errors.js - what goes wrong, as a RibbonError with a code and a hint

import { describe, quote } from "./brands.js";

export class RibbonError extends Error {
  constructor(code, message, { hint, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RibbonError";
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

// Throw, if options are neither an object nor left out, or if one of them has none of these names.
export function checkOptions(given, example, names) {
  if (given != null && typeof given !== "object")
    throw new RibbonError("OPTION", `options are an object, such as ${example}, and not ${describe(given)}`);
  for (const name of Object.keys(given ?? {})) checkChoice("option", name, names);
}

// Throw, if an option's value is none of those that there are.
export function checkChoice(what, value, choices) {
  if (choices.includes(value)) return;
  throw new RibbonError("OPTION", `unknown ${what} ${quote(value)}`, { hint: `There are ${choices.join(", ")}.` });
}

// RibbonStatus of src/core/ribbon_core.h, in its order, but for what is wrong with values to build from: with the codes
// that errors have here, and the texts of src/core/base/status.c (test/test_package.mjs).  From BAD_VALUE_CLASS to
// BAD_END they are of a map's values, which the modules do not read.
export const STATUSES = {
  OK: null,
  OUT_OF_MEMORY: ["MEMORY", "out of memory"],
  INTERRUPTED: ["CANCELLED", "interrupted"],
  BAD_FPR: ["FPR", "the false-positive rate must be 2^-32 to 0.5; of a map or exact set it may be 1"],
  BAD_PARAMS: ["OPTION", "a parameter is not valid"],
  NOT_LARGER: ["NOT_LARGER", "the false-positive rate is below the filter's own"],
  TRUNCATED: ["TRUNCATED", "the value ends too early"],
  BAD_VERSION: ["VERSION", "unknown format version"],
  CORRUPT: ["CORRUPT", "the value contradicts itself"],
  CONFLICT: ["CONFLICT", "a key has two values"],
  BAD_FILE: ["CORRUPT", "a temporary file does not contain what was written to it"],
  IS_EXACT: ["EXACT", "an exact set cannot be shrunk"],
  BAD_LAYERS: ["DAMAGED", "a layer has as many slots as keys, or more"],
  BAD_THRESHOLDS: ["DAMAGED", "thresholds do not bump the keys that the header counts"],
  BAD_PADDING: ["DAMAGED", "bits that are not in use are set"],
  BAD_RATE: ["DAMAGED", "the slots do not have the false-positive rate that the header states"],
  BAD_CODES: ["DAMAGED", "the values of codes are not in order"],
  BAD_VALUE_CLASS: ["VERSION", "its value class is unknown"],
  BAD_VALUES: ["CORRUPT", "its value class calls for a dictionary, or for none"],
  BAD_DICTIONARY: ["DAMAGED", "its dictionary is malformed"],
  BAD_COUNT: ["DAMAGED", "its dictionary has more values than there are codes"],
  BAD_ORDER: ["DAMAGED", "its dictionary is out of order"],
  BAD_TEXT: ["DAMAGED", "its dictionary is not in UTF-8"],
  BAD_END: ["DAMAGED", "there is something behind the end of its dictionary"],
  NO_SEED: ["KEY", "keys have the same hash under each seed that was tried"],
};

const HINTS = {
  VERSION: "A later release of ribbonfilter may be able to read it.",
  TRUNCATED: "Is all of the file there, and nothing else?",
  CORRUPT: "Is it a ribbonfilter or a ribbonmap, as bytes? A bytea's text, \\x..., is not.",
};

const errorOf = ([code, message]) => new RibbonError(code, message, { hint: HINTS[code] });

// Throw what a status of the core says; RIBBON_OK is 0.
export function checkStatus(status) {
  if (status !== 0) throw errorOf(Object.values(STATUSES)[status] ?? ["CORRUPT", `status ${status}`]);
}

// The error of a status, by its name.
export const statusError = (name) => errorOf(STATUSES[name]);
