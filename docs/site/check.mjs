// check.mjs - make test-site: each page of the site, in Chromium, as wide as a phone and as a desk
//
// usage: node docs/site/check.mjs FOLDER
//
// FOLDER has what mkdocs made.  No page scrolls sideways, writes an error to the console or asks another
// machine; each link leads to a page and to a chapter of it; the search finds each message of the page of messages.
// SCREENSHOTS=folder puts a picture of the screen of each page there.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RangeServer, fileResource } from "../../clients/js/tools/range_server.mjs";
import { Browser, findBrowser } from "../../clients/js/test/browser.mjs";

const folder = process.argv[2];
const WIDTHS = { phone: [390, 844], desk: [1280, 900] };
const pages = readdirSync(folder, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .sort();

let failed = 0;
function report(name, faults) {
  for (const fault of faults) console.log(`# ${fault}`);
  console.log(`${faults.length ? "not ok" : "ok"} - ${name}`);
  if (faults.length) failed++;
}

const program = findBrowser();
if (program === null) {
  console.log("not ok - there is no Chromium");
  process.exit(1);
}
const missing = [];
const server = new RangeServer(async (path) => {
  const found = await fileResource(join(folder, decodeURIComponent(path.split("?")[0])));
  if (!found) missing.push(path);
  return found;
});
const address = (await server.listen()).replace(/\/$/, "");
const browser = new Browser(program);
clearTimeout(browser.timer); // as long as it takes: there are many pages
await browser.open();

const loaded = 'document.readyState === "complete"';
const wide = `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 &&
  getComputedStyle(e).position !== "fixed").slice(0, 3).map((e) => e.tagName + "." + e.className)`;
const facts = `({ wide: document.documentElement.scrollWidth > innerWidth, elements: ${wide},
  ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
  links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
  others: performance.getEntriesByType("resource").map((e) => e.name)
    .filter((n) => !n.startsWith(location.origin) && /^http/.test(n)) })`;

const ids = new Map();
const links = new Map();
const sideways = [];
const others = [];
const shots = process.env.SCREENSHOTS;
if (shots) mkdirSync(shots, { recursive: true });
for (const [device, [width, height]] of Object.entries(WIDTHS)) {
  await browser.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: device === "phone" });
  for (const page of pages) {
    const url = `${address}/${page}`;
    await browser.goto(url, `location.href === "${url}" && ${loaded}`);
    const found = await browser.evaluate(facts);
    if (found.wide) sideways.push(`${page} at ${width}: ${found.elements.join(", ")}`);
    others.push(...found.others.map((name) => `${page} asks ${name}`));
    ids.set(url, new Set(found.ids));
    links.set(url, found.links);
    if (shots) writeFileSync(join(shots, `${device}-${page.replaceAll("/", "-")}.png`), await browser.screenshot(false));
  }
}
report("no page scrolls sideways, on a phone or on a desk", sideways);
report("no page asks another machine", others);

const broken = new Set();
for (const [page, targets] of links)
  for (const target of targets) {
    const [url, chapter] = target.split("#");
    if (!url.startsWith(address)) continue;
    const there = url.endsWith("/") ? `${url}index.html` : url;
    const found = ids.get(there);
    if (!found) {
      const file = await fileResource(join(folder, there.slice(address.length)));
      if (file) await file.close?.();
      else broken.add(`${page.slice(address.length)}: ${target.slice(address.length)}`);
    } else if (chapter && !found.has(decodeURIComponent(chapter))) {
      broken.add(`${page.slice(address.length)}: ${target.slice(address.length)}`);
    }
  }
report(`links lead somewhere: ${[...links.values()].flat().length} of ${pages.length} pages`, [...broken]);

// as a reader does: each message that has two words, with names in it, pasted into the search, finds their
// page among the first ten; what is a sentence is a hint of one
const title = `(e) => (e.firstChild ?? e).textContent`;
await browser.goto(`${address}/messages.html`, loaded);
const said = await browser.evaluate(`[...document.querySelectorAll("article h4")].map(${title})`);
await browser.goto(`${address}/index.html`, loaded);
await browser.evaluate(`document.querySelector("[data-md-component=search-query]").focus()`);
const unfound = [];
const messages = said.filter((text) => !/^[A-Z].*[.?]$/.test(text) && /\w{4,}.*\W\w{4,}/.test(text));
for (const text of messages) {
  await browser.evaluate(`{
    for (const link of document.querySelectorAll(".md-search-result__link")) link.className = "old";
    const input = document.querySelector("[data-md-component=search-query]");
    input.value = ${JSON.stringify(`ERROR:  ${text.replaceAll("…", "integer")}`)};
    for (const kind of ["input", "keyup"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
  }`);
  const answer = `[...document.querySelectorAll(".md-search-result__item")].slice(0, 10)
    .some((found) => found.querySelector(".md-search-result__link")?.pathname === "/messages.html")`;
  await browser.until(answer, 5000).catch(() => unfound.push(text));
}
report(`the search finds each of ${messages.length} messages`, messages.length > 300 ? unfound : [...unfound, "too few"]);
report("nothing that a page asks for is missing", [...new Set(missing)]);
report("no error in a console", [...new Set(browser.errors)]);
await browser.close();
await server.close?.();
process.exit(failed ? 1 : 0);
