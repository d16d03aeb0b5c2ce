// fuzz.mjs - what this package says of bytes that no build made: a line for each, as fuzz.py of Python has it
//
// usage: node clients/js/test/fuzz.mjs FILE	of test/fuzz/driver

import { readFileSync } from "node:fs";
import { Filter, Key, RibbonMap } from "../lib/index.js";
import { KEY_CLASSES } from "../lib/classes.js";

const KEYS = 40;
const REFUSED = ["TRUNCATED", "VERSION", "CORRUPT"];

async function open(bytes) {
  try {
    return await RibbonMap.fromBytes(bytes);
  } catch (error) {
    if (error.code !== "NOT_A_MAP") throw error;
    return Filter.fromBytes(bytes);
  }
}

async function judge(bytes) {
  const damagedBy = (codes) => (error) => {
    if (error.name === "RibbonError" && codes.includes(error.code)) return undefined;
    throw error;
  };
  const opened = await open(bytes).catch(damagedBy(REFUSED));
  if (opened === undefined) return "refused";
  const keys = [];
  const number = KEY_CLASSES[opened.keyClass];
  for (let i = 0; i < KEYS && number > 0 && number <= KEY_CLASSES.bit; i++) // without parts
    keys.push(Key.canonical(Uint8Array.of(i, 1, 2, 3, 4, 5, 6, 7), opened.keyClass));
  try {
    const answers = keys.map((key) => +opened.has(key)).join("");
    const whole = await opened.check().catch(damagedBy(["DAMAGED", "CORRUPT"]));
    return `${opened instanceof Filter ? "filter" : "map"} ${opened.size} ${answers} ${whole ? "whole" : "damaged"}`;
  } catch (error) {
    damagedBy(["CORRUPT"])(error); // a text of the dictionary
    return "refused";
  } finally {
    opened.close();
  }
}

const file = readFileSync(process.argv[2]);
const lines = [];
for (let at = 0; at < file.length; ) {
  const size = file.readUInt32LE(at);
  lines.push(await judge(new Uint8Array(file.subarray(at + 4, at + 4 + size))));
  at += 4 + size;
}
process.stdout.write(lines.map((line, i) => `${i} ${line}\n`).join(""));
