// page.mjs - make page: put the core and its filters beside docs/explain/index.html, and serve it
//
// usage: node page.mjs [--build] [PORT]
//
// --build only puts them there: core.js, words.js and leaked.ribbon.  The words are those of the system's
// dictionary; PAGE_WORDS names another file.  PAGE_ENDINGS says how many endings each word gets to become
// a leaked password.

import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Filter } from "../lib/index.js";
import { bundle } from "./bundle.mjs";
import { RangeServer, fileResource } from "./range_server.mjs";

const page = new URL("../../../docs/explain/", import.meta.url);
const source = process.env.PAGE_WORDS ?? "/usr/share/dict/american-english";
const nendings = Number(process.env.PAGE_ENDINGS ?? 40);
const ENDINGS = ["", ..."1 12 123 1234 12345 ! 1! 123! 01 69 7 2024 2025 2026 00 99".split(" ")];

function put(name, bytes) {
  const path = fileURLToPath(new URL(name, page));
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path); // a server that is running goes on with the old one
}

function endings() {
  const all = [...ENDINGS];
  for (let year = 1960; all.length < nendings; year++) all.push(String(year));
  return all.slice(0, nendings);
}

function* passwords(words) {
  for (const ending of endings()) for (const word of words) yield word + ending;
}

async function build() {
  const words = readFileSync(source, "utf8")
    .split("\n")
    .filter((word) => word !== "");
  put("core.js", bundle());
  const filter = await Filter.build(words, { fpr: 1 / 1024, key: "text" });
  const base64 = Buffer.from(filter.toBytes()).toString("base64");
  const name = source.replace(/.*\//, "");
  put("words.js", `globalThis.RibbonWords = { source: ${JSON.stringify(name)}, base64: "${base64}" };\n`);

  const leaked = new URL("leaked.ribbon", page);
  if (existsSync(leaked) && statSync(leaked).mtimeMs > statSync(source).mtimeMs && !process.env.PAGE_ENDINGS) return;
  console.log(`page: ${words.length * nendings} passwords into a filter ...`);
  const large = await Filter.build(passwords(words.map((word) => word.toLowerCase())), { fpr: 1 / 128, key: "text" });
  put("leaked.ribbon", large.toBytes());
}

export function serve() {
  return new RangeServer(async (path) => {
    const name = path === "/" ? "index.html" : path.slice(1);
    return /^[a-z_]+\.[a-z]+$/.test(name) ? fileResource(fileURLToPath(new URL(name, page))) : null;
  });
}

const [first = "8027"] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  if (first !== "--build") {
    const port = Number(first);
    const server = serve();
    const address = await server
      .listen(port)
      .catch((error) => (error.code === "EADDRINUSE" ? server.listen(0) : Promise.reject(error)));
    console.log(`The page is at ${address} (Ctrl-C ends this)`);
  }
}
