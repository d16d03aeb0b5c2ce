// errors.js - what goes wrong, as a RibbonError with a code and a hint

export class RibbonError extends Error {
  constructor(code, message, { hint, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RibbonError";
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

// By the number of RibbonStatus in src/core/ribbon_core.h; those that the modules can return.
export const STATUSES = [
  null,
  ["MEMORY", "out of memory"],
  ["CANCELLED", "interrupted"],
  ["FPR", "the false-positive rate must be between 2^-32 and 0.5"],
  ["OPTION", "a parameter is not valid"],
  ["NOT_LARGER", "the false-positive rate is below the filter's own"],
  ["TRUNCATED", "the value ends too early"],
  ["VERSION", "unknown format version"],
  ["CORRUPT", "the value contradicts itself"],
  ["CONFLICT", "a key has two values"],
  ["CORRUPT", "a store gave another number of hashes than it counted"],
  ["EXACT", "of an exact set no bit can be dropped"],
  ["DAMAGED", "a layer has as many slots as keys, or more"],
  ["DAMAGED", "thresholds do not bump the keys that the header counts"],
  ["DAMAGED", "bits that are not in use are set"],
  ["DAMAGED", "the slots do not have the false-positive rate that the header states"],
  ["DAMAGED", "the values of codes are not in order"],
  ["DAMAGED", "its value class is unknown"],
  ["DAMAGED", "its value class calls for a dictionary, or for none"],
  ["DAMAGED", "its dictionary is malformed"],
  ["DAMAGED", "its dictionary has more values than there are codes"],
  ["DAMAGED", "its dictionary is out of order"],
  ["DAMAGED", "its dictionary is not in UTF-8"],
  ["DAMAGED", "there is something behind the end of its dictionary"],
];

const HINTS = {
  VERSION: "A later release of ribbonfilter may be able to read it.",
  TRUNCATED: "Is all of the file there, and nothing else?",
  CORRUPT: "Is it a ribbonfilter or a ribbonmap, as bytes? A bytea's text, \\x..., is not.",
};

// Throw what a status of the core says; RIBBON_OK is 0.
export function checkStatus(status) {
  if (status === 0) return;
  const [code, message] = STATUSES[status] ?? ["CORRUPT", `status ${status}`];
  throw new RibbonError(code, message, { hint: HINTS[code] });
}
