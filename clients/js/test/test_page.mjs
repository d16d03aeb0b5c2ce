// test_page.mjs - the page of docs/explain, in Chromium: from disk with and without the core, from a server
//
// SCREENSHOTS=folder puts pictures there.

import assert from "node:assert";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Filter } from "../lib/index.js";
import { bundle } from "../tools/bundle.mjs";
import { RangeServer, fileResource } from "../tools/range_server.mjs";
import { Browser, findBrowser } from "./browser.mjs";
import { end, test } from "./testing.mjs";

const program = findBrowser();
if (program === null) {
  console.log("ok - skipped: there is no Chromium, and none could be installed");
  end();
}

const source = fileURLToPath(new URL("../../../docs/explain/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ribbon-page-"));
const bare = join(folder, "bare");
const full = join(folder, "full");
for (const copy of [bare, full]) {
  cpSync(source, copy, { recursive: true });
  for (const made of ["core.js", "words.js", "leaked.ribbon"]) rmSync(join(copy, made), { force: true });
}
const WORDS = ["password", "dragon", "sunshine", ...Array.from({ length: 20000 }, (_, i) => `word${i}`)];
const words = await Filter.build(WORDS, { fpr: 1 / 1024 });
const leaked = await Filter.build(
  WORDS.flatMap((word) => [word, `${word}1`, `${word}123`, `${word}2024`]),
  { fpr: 1 / 128 },
);
writeFileSync(join(full, "core.js"), bundle());
writeFileSync(
  join(full, "words.js"),
  `globalThis.RibbonWords = { source: "a test", base64: "${Buffer.from(words.toBytes()).toString("base64")}" };`,
);
writeFileSync(join(full, "leaked.ribbon"), leaked.toBytes());
const server = new RangeServer((path) => fileResource(join(full, path === "/" ? "index.html" : path.slice(1))));
const address = await server.listen();

const browser = new Browser(program);
const ready = 'document.documentElement.dataset.ready === "yes"';
const text = (id) => browser.evaluate(`document.getElementById("${id}").textContent`);
const click = (id) => browser.evaluate(`document.getElementById("${id}").click()`);
const position = () => browser.evaluate("RibbonPage.position");
const set = (id, value) =>
  browser.evaluate(`(() => {
  const field = document.getElementById("${id}");
  field.value = ${JSON.stringify(value)};
  field.dispatchEvent(new Event("input", { bubbles: true }));
})()`);
const size = (width, height, mobile = false) =>
  browser.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: mobile ? 2 : 1, mobile });
const media = (...features) =>
  browser.send("Emulation.setEmulatedMedia", { features: features.map(([name, value]) => ({ name, value })) });

async function picture(name) {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS && existsSync(SCREENSHOTS))
    writeFileSync(join(SCREENSHOTS, `${name}.png`), await browser.screenshot());
}

async function noFault(body) {
  browser.errors.length = 0;
  await body();
  assert.deepStrictEqual(browser.errors, []);
}

await test("the browser starts", () => browser.open());

await test("from disk, as it is committed: the filter can be watched, and what is missing is said", () =>
  noFault(async () => {
    await size(1100, 900);
    await browser.goto(pathToFileURL(join(bare, "index.html")).href, ready);
    assert.match(await text("local-result"), /make page/);
    assert.match(await text("plot-source"), /formulas/);
    const steps = await browser.evaluate("RibbonPage.filter.steps.length");
    assert.ok(steps > 200 && (await position()) === 0);
    await click("next");
    await click("next");
    assert.strictEqual(await position(), 2);
    assert.match(await text("step"), /starts at slot/);
    await click("back");
    assert.strictEqual(await position(), 1);
    await click("last");
    assert.match(await text("step"), /^Solved/);
    await click("first");
    assert.strictEqual(await position(), 0);
  }));

await test("play, pause, bumping", () =>
  noFault(async () => {
    await click("preset-bumping");
    await picture("start");
    await browser.evaluate('document.getElementById("speed").value = "25"');
    await click("play");
    await browser.until("RibbonPage.position > 5");
    await click("play");
    const stopped = await position();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.strictEqual(await position(), stopped);
    await click("next-bump");
    assert.match(await text("step"), /^Bumping: .*leave for the next layer/);
    assert.match(await text("live"), /^Bumping/);
    assert.match(await text("counts"), /bumped keys/);
    await picture("bumping");
    await click("last");
    await picture("done");
  }));

await test("questions: members, bumped keys, others", () =>
  noFault(async () => {
    await click("probe-member");
    assert.match(await text("answer"), /^Yes: it is in the set/);
    await click("probe-bumped");
    assert.match(await text("answer"), /Yes: it is in the set.*below the threshold/s);
    await picture("probe");
    await click("probe-many");
    const wrong = +/get a wrong yes: ([\d.]+) %/.exec(await text("answer"))[1];
    assert.ok(wrong > 0.3 && wrong < 1.6, `${wrong} %`);
  }));

await test("settings: keys, sliders, kinds", () =>
  noFault(async () => {
    await set("keys", "ann\nbob\ncarl\n\nann\n");
    assert.strictEqual(await browser.evaluate("RibbonPage.filter.keys.length"), 3);
    await set("keys", "");
    assert.match(await text("step"), /^No key/);
    for (const [n, w, r, overload] of [
      [4, 4, 1, -25],
      [160, 32, 12, -25],
      [160, 4, 1, 50],
      [100, 20, 5, -5],
    ]) {
      for (const kind of ["burr", "homogeneous"]) {
        await browser.evaluate(`document.querySelector('[value="${kind}"]').click()`);
        await set("w", w);
        await set("r", r);
        await set("overload", overload);
        await set("n", n);
        assert.strictEqual(await browser.evaluate(`RibbonPage.filter.keys.length`), n);
        assert.ok(
          await browser.evaluate(
            "RibbonPage.filter.keys.every((key) => RibbonModel.probe(RibbonPage.filter, " +
              "RibbonModel.hashOf(key)).answer)",
          ),
          `${kind} ${n}`,
        );
      }
    }
    await click("preset-roomy");
  }));

await test("the keyboard alone, and what a screen reader is told", () =>
  noFault(async () => {
    await browser.evaluate('document.getElementById("stage").focus()');
    await click("first");
    await browser.evaluate('document.getElementById("stage").focus()');
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"]) await browser.press(key);
    assert.strictEqual(await position(), 2);
    assert.strictEqual(await text("live"), await text("step"));
    await browser.press("End");
    assert.match(await text("live"), /^Solved/);
    const { nodes } = await browser.send("Accessibility.getFullAXTree");
    const roles = ["button", "textbox", "slider", "radio", "combobox", "checkbox", "image", "img"];
    const controls = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value));
    assert.ok(controls.length > 20);
    for (const node of controls) assert.ok(node.name?.value, `a ${node.role.value} has no name`);
    assert.strictEqual(await browser.evaluate('document.querySelectorAll("[aria-live]").length >= 4'), true);
  }));

await test("a phone: nothing is wider than the screen", () =>
  noFault(async () => {
    for (const [width, height] of [
      [360, 740],
      [320, 568],
    ]) {
      await size(width, height, true);
      await click("preset-bumping");
      await click("next-bump");
      assert.strictEqual(
        await browser.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        true,
        `${width}`,
      );
      const small = await browser.evaluate(`[...document.querySelectorAll("button, select")]
      .filter((control) => control.getBoundingClientRect().height < 36).map((control) => control.id)`);
      assert.deepStrictEqual(small, []);
      await picture(`phone-${width}`);
    }
    await size(1100, 900);
  }));

await test("dark, and with reduced motion", () =>
  noFault(async () => {
    const ground = () => browser.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await media(["prefers-color-scheme", "dark"], ["prefers-reduced-motion", "reduce"]);
    assert.notStrictEqual(await ground(), light);
    await click("preset-bumping");
    await click("next-bump");
    await picture("dark");
    await click("first");
    await click("play");
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.ok((await position()) <= 1);
    await click("play");
    await media();
  }));

await test("from disk with the core: the filter that is here", () =>
  noFault(async () => {
    await browser.goto(pathToFileURL(join(full, "index.html")).href, ready);
    assert.match(await text("plot-source"), /what the core says/);
    assert.match(await text("remote-result"), /opened as a file/);
    await set("password", "dragon");
    await browser.evaluate('document.getElementById("password-form").requestSubmit()');
    assert.match(await text("local-result"), /It is known/);
    await set("password", "correct horse battery staple 17");
    await browser.evaluate('document.getElementById("password-form").requestSubmit()');
    assert.match(await text("local-result"), /surely not/);
  }));

await test("from a server: the large filter, by ranges", () =>
  noFault(async () => {
    await browser.goto(address, ready);
    assert.match(await text("remote-result"), /77,993 passwords/);
    const [bytes, requests] = [server.bytes, server.requests];
    await set("password", "dragon123");
    await browser.evaluate('document.getElementById("password-form").requestSubmit()');
    await browser.until('/It is known/.test(document.getElementById("remote-result").textContent)');
    assert.match(await text("remote-result"), /requests? fetched/);
    const took = server.bytes - bytes;
    console.log(`# ${took} bytes and ${server.requests - requests} requests over the wire`);
    assert.ok(took > 0 && took < 6000);
    await picture("passwords");
  }));

await test("in a browser as modules: Filter.open, and building", () =>
  noFault(async () => {
    const library = new URL("../", import.meta.url);
    const files = new RangeServer((path) => fileResource(fileURLToPath(new URL(path.slice(1), library))));
    const at = await files.listen();
    try {
      await browser.goto(`${at}lib/index.js`, `location.href === "${at}lib/index.js"`);
      const answers = await browser.evaluate(`(async () => {
      const { Filter, RibbonMap } = await import("/lib/index.js");
      const filter = await Filter.build(["a", "b"]);
      const map = await RibbonMap.build([["a", 1n], ["b", 2n]]);
      const { size } = await Filter.open(new Blob([filter.toBytes()]));
      return [filter.has("a"), filter.has("zz"), String(map.get("b")), size];
    })()`);
      assert.deepStrictEqual(answers, [true, false, "2", 2]);
    } finally {
      await files.close();
    }
  }));

await browser.close();
await server.close();
rmSync(folder, { recursive: true, force: true });
end();
