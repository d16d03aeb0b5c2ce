// times.js - dates and times, from texts in ISO form to PostgreSQL's numbers and back

import { quote } from "./brands.js";
import { RibbonError } from "./errors.js";

const DAY_MS = 86400000;
const EPOCH_DAYS = 10957; // from 1970-01-01 to 2000-01-01
const DAY_US = 86400000000n;
const GREATEST = 0x7fffffffffffffffn;
const DATE = "([0-9]{4,7})-([0-9]{2})-([0-9]{2})";
const TIME = "([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,6}))?)?";
const ZONE = "(Z|[+-](?:0[0-9]|1[0-5])(?:[0-5][0-9]|(?::[0-5][0-9]){1,2})?)"; // within 16 hours
const BLANKS = "[ \\t-\\r]*"; // that the server knows
const form = (pattern) => new RegExp(`^${BLANKS}${pattern}${BLANKS}$`, "i");
const FORMS = {
  date: form(`${DATE}( BC)?`),
  time: form(TIME),
  timetz: form(`${TIME} ?${ZONE}`),
  timestamp: form(`${DATE}(?:[ T]${TIME})?( BC)?`),
  timestamptz: form(`${DATE}(?:[ T]${TIME} ?|(?!-))${ZONE}( BC)?`),
};
const INFINITY = form("(-?)infinity");
const EXAMPLES = {
  date: "2026-01-31",
  time: "23:59:59.5",
  timetz: "23:59:59.5+01",
  timestamp: "2026-01-31 23:59:59.5",
  timestamptz: "2026-01-31T23:59:59.5Z",
};

function refuse(kind, text) {
  throw new RibbonError("KEY", `${quote(text)} is no ${kind}`, {
    hint: `Write it like ${JSON.stringify(EXAMPLES[kind])}.`,
  });
}

function match(kind, text) {
  return FORMS[kind].exec(text) ?? refuse(kind, text);
}

// The calendar is that of Gregory, for all times: of eras of 400 years, whose years begin with March.
// JavaScript's Dates end before PostgreSQL's do.

const ERA_DAYS = 146097;
const BEFORE_2000 = 730425; // days from 0000-03-01 on
const FIRST_DATE = -2451545; // 4714-11-24 BC
const END_DATE = 2145031949; // the day after 5874897-12-31
const FIRST_TIMESTAMP = BigInt(FIRST_DATE) * DAY_US;
const END_TIMESTAMP = 9223371331200000000n; // 294277-01-01

function civilToDays(year, month, day) {
  const y = month > 2 ? year : year - 1;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * ERA_DAYS + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - BEFORE_2000;
}

function daysToCivil(days) {
  const all = days + BEFORE_2000;
  const era = Math.floor(all / ERA_DAYS);
  const ofEra = all - era * ERA_DAYS;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36524) - Math.floor(ofEra / 146096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const m = Math.floor((5 * ofYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return [era * 400 + year + (month > 2 ? 0 : 1), month, ofYear - Math.floor((153 * m + 2) / 5) + 1];
}

// Days since 2000-01-01; the year 1 BC is 0.  West of UTC a timestamptz begins on the day before the first.
function daysOf(kind, text, [year, month, day], era) {
  const days = civilToDays(era === undefined ? +year : 1 - year, +month, +day);
  const [, m, d] = daysToCivil(days);
  const first = kind === "timestamptz" ? FIRST_DATE - 1 : FIRST_DATE;
  if (+year === 0 || +month > 12 || m !== +month || d !== +day || days < first || days >= END_DATE)
    refuse(kind, text);
  return days;
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
  const infinity = INFINITY.exec(text);
  if (infinity) return infinity[1] ? -0x80000000 : 0x7fffffff;
  const parts = match("date", text).slice(1);
  return daysOf("date", text, parts, parts[3]);
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
  const infinity = INFINITY.exec(text);
  if (infinity) return infinity[1] ? -GREATEST - 1n : GREATEST;
  const parts = match(kind, text).slice(1);
  const time = parts[3] === undefined ? 0n : microsecondsOf(kind, text, parts.slice(3));
  const zone = kind === "timestamptz" ? zoneOf(parts[7]) : 0;
  const days = BigInt(daysOf(kind, text, parts, parts.at(kind === "timestamptz" ? 8 : 7)));
  const result = days * DAY_US + time - BigInt(zone) * 1000000n;
  if (result < FIRST_TIMESTAMP || result >= END_TIMESTAMP) refuse(kind, text);
  return result;
}

// Of a Date's ms.
export function instantToMicroseconds(ms) {
  if (Number.isNaN(ms)) throw new RibbonError("KEY", "an invalid Date is no timestamptz");
  if (ms < (FIRST_DATE + EPOCH_DAYS) * DAY_MS)
    throw new RibbonError("KEY", `${new Date(ms).toISOString()} is before 4714-11-24 BC, where timestamptz begins`);
  return BigInt(ms - EPOCH_DAYS * DAY_MS) * 1000n;
}

// Texts as PostgreSQL writes them; infinities by their names.

// null for what is no date.
export function daysToDate(days) {
  if (days === 0x7fffffffn) return "infinity";
  if (days === -0x80000000n) return "-infinity";
  if (days < FIRST_DATE || days >= END_DATE) return null;
  const [year, month, day] = daysToCivil(Number(days));
  const pad = (number, digits) => String(number).padStart(digits, "0");
  return `${pad(year > 0 ? year : 1 - year, 4)}-${pad(month, 2)}-${pad(day, 2)}${year > 0 ? "" : " BC"}`;
}

export function microsecondsToTimestamp(microseconds, zone) {
  if (microseconds === GREATEST) return "infinity";
  if (microseconds === -GREATEST - 1n) return "-infinity";
  if (microseconds >= END_TIMESTAMP) return null;
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
