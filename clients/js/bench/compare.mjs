// compare.mjs - what the JavaScript package takes, beside the core compiled for this machine
//
// usage: node compare.mjs NATIVE [KEYS [ROUNDS]]
//
// NATIVE is native.c, compiled.  It runs twice in each round, with its portable kernel and with its
// best one, then the package, in this process.  Prints a table of medians, and of the medians of each
// round's ratios to the portable kernel.

import { spawnSync } from "node:child_process";
import { Filter } from "../lib/index.js";

const [native, nkeys = "1e6", nrounds = "9"] = process.argv.slice(2);
const n = Number(nkeys);
const LIMIT = 120000; // ms, for one run of the native program

function runNative(kernel) {
  const result = spawnSync(native, [String(n)], {
    env: { ...process.env, RIBBON_CPU: kernel },
    timeout: LIMIT,
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`${native}: status ${result.status}`);
  const [build, members, others] = result.stdout.trim().split("\n").map(Number);
  return { build, members, others };
}

async function time(body) {
  const began = performance.now();
  const result = await body();
  return [((performance.now() - began) * 1e6) / n, result];
}

const integers = (first) => BigInt64Array.from({ length: n }, (_, i) => BigInt(first + ((i * 7919) % n)));
const members = integers(0);
const others = integers(n);
const numbers = Array.from(members, Number);
const texts = numbers.map((number) => `user-${number}@example.org`);

async function runPackage(words) {
  const [build, filter] = await time(() => Filter.build(members, { fpr: 1 / 256 }));
  const one = (keys, asked) =>
    time(() => {
      let found = 0;
      for (const key of keys) found += asked.has(key);
      return found;
    });
  const result = {
    build,
    members: (await time(() => filter.hasMany(members)))[0],
    others: (await time(() => filter.hasMany(others)))[0],
    "members, one by one with has(number)": (await one(numbers, filter))[0],
    "texts of 24 bytes, one by one with has(text)": (await one(texts, words))[0],
    "texts of 24 bytes, hasMany": (await time(() => words.hasMany(texts)))[0],
  };
  filter.close();
  return result;
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const rounds = [];
const words = await Filter.build(texts, { fpr: 1 / 256 });
await runPackage(words); // so that all is compiled
for (let i = 0; i < Number(nrounds); i++)
  rounds.push({ portable: runNative("portable"), best: runNative(""), wasm: await runPackage(words) });

const of = (name, what) => median(rounds.map((round) => round[name][what]));
console.log(`JavaScript: ${n} integers at 2^-8, ns a key, median of ${nrounds} rounds; Node.js ${process.version}\n`);
console.log("| | portable kernel | best kernel | WebAssembly | to the portable one |");
console.log("| --- | ---: | ---: | ---: | ---: |");
for (const what of Object.keys(rounds[0].wasm)) {
  const cells = [what, "", "", of("wasm", what).toFixed(0), ""];
  if (what in rounds[0].portable) {
    cells[1] = of("portable", what).toFixed(0);
    cells[2] = of("best", what).toFixed(0);
    cells[4] = median(rounds.map((round) => round.wasm[what] / round.portable[what])).toFixed(2);
  }
  console.log(`| ${cells.join(" | ")} |`);
}
