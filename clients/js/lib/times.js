// times.js - dates and times, from texts in ISO form to PostgreSQL's numbers and back

import { RibbonError } from "./errors.js";

const DAY_MS = 86400000;
const EPOCH_DAYS = 10957; // from 1970-01-01 to 2000-01-01
const DAY_US = 86400000000n;
const GREATEST = 0x7fffffffffffffffn;
const DATE = "([0-9]{4,7})-([0-9]{2})-([0-9]{2})";
const TIME = "([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,6}))?)?";
const ZONE = "(Z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)";
const FORMS = {
  date: new RegExp(`^${DATE}$`),
  time: new RegExp(`^${TIME}$`),
  timetz: new RegExp(`^${TIME} ?${ZONE}$`, "i"),
  timestamp: new RegExp(`^${DATE}(?:[ T]${TIME})?$`),
  timestamptz: new RegExp(`^${DATE}[ T]${TIME} ?${ZONE}$`, "i"),
};
const EXAMPLES = {
  date: "2026-01-31",
  time: "23:59:59.5",
  timetz: "23:59:59.5+01",
  timestamp: "2026-01-31 23:59:59.5",
  timestamptz: "2026-01-31T23:59:59.5Z",
};

function refuse(kind, text) {
  throw new RibbonError("KEY", `${JSON.stringify(text)} is no ${kind}`, {
    hint: `Write it like ${JSON.stringify(EXAMPLES[kind])}.`,
  });
}

function match(kind, text) {
  return FORMS[kind].exec(text) ?? refuse(kind, text);
}

// Days since 2000-01-01.
function daysOf(kind, text, [year, month, day]) {
  const date = new Date(0);
  date.setUTCFullYear(+year, +month - 1, +day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== +day || +year === 0) refuse(kind, text);
  return date.getTime() / DAY_MS - EPOCH_DAYS;
}

// Microseconds since midnight, 24:00 included.
function microsecondsOf(kind, text, [hours, minutes, seconds = "0", fraction = ""]) {
  const whole = +hours * 3600 + +minutes * 60 + +seconds;
  if (+hours > 24 || +minutes > 59 || +seconds > 60 || whole > 86400 || (whole === 86400 && +fraction > 0))
    refuse(kind, text);
  return BigInt(whole) * 1000000n + BigInt(fraction.padEnd(6, "0"));
}

// Seconds east of UTC.
function zoneOf(text) {
  if (text === "Z" || text === "z") return 0;
  const [hours, minutes = 0, seconds = 0] = text.slice(1).replaceAll(":", "").match(/../g);
  return (text[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + +seconds);
}

export function dateToDays(text) {
  if (text === "infinity") return 0x7fffffff;
  if (text === "-infinity") return -0x80000000;
  return daysOf("date", text, match("date", text).slice(1));
}

export function timeToMicroseconds(text) {
  return microsecondsOf("time", text, match("time", text).slice(1));
}

// Microseconds since midnight, and seconds west of UTC.
export function timetzToParts(text) {
  const parts = match("timetz", text).slice(1);
  return [microsecondsOf("timetz", text, parts), -zoneOf(parts[4])];
}

// kind is timestamp or timestamptz: microseconds since 2000-01-01 00:00 (UTC).
export function timestampToMicroseconds(kind, text) {
  if (text === "infinity") return GREATEST;
  if (text === "-infinity") return -GREATEST - 1n;
  const parts = match(kind, text).slice(1);
  const time = parts[3] === undefined ? 0n : microsecondsOf(kind, text, parts.slice(3));
  const zone = kind === "timestamptz" ? zoneOf(parts[7]) : 0;
  return BigInt(daysOf(kind, text, parts)) * DAY_US + time - BigInt(zone) * 1000000n;
}

export function instantToMicroseconds(date) {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw new RibbonError("KEY", "an invalid Date is no timestamptz");
  return BigInt(ms - EPOCH_DAYS * DAY_MS) * 1000n;
}

// Texts as PostgreSQL writes them; infinities by their names.

export function daysToDate(days) {
  if (days === GREATEST || days === 0x7fffffffn) return "infinity";
  if (days === -0x80000000n) return "-infinity";
  const date = new Date((Number(days) + EPOCH_DAYS) * DAY_MS);
  if (Number.isNaN(date.getTime())) return null;
  const year = date.getUTCFullYear();
  const month = String(date.getUTCMonth() + 1).padStart(2, "0");
  const day = String(date.getUTCDate()).padStart(2, "0");
  return `${String(year > 0 ? year : 1 - year).padStart(4, "0")}-${month}-${day}${year > 0 ? "" : " BC"}`;
}

export function microsecondsToTimestamp(microseconds, zone) {
  if (microseconds === GREATEST) return "infinity";
  if (microseconds === -GREATEST - 1n) return "-infinity";
  const time = ((microseconds % DAY_US) + DAY_US) % DAY_US;
  const date = daysToDate((microseconds - time) / DAY_US);
  if (date === null) return null;
  const [day, era = ""] = date.split(/(?= BC)/);
  const fraction = String(time % 1000000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const seconds = Number(time / 1000000n);
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
  return `${day} ${clock}${fraction && "." + fraction}${zone}${era}`;
}
