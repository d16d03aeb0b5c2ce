// passwords.js - the application: the core in WebAssembly, a filter that is here, and one that is not
//
// "make page" puts core.js (the JavaScript package, and its modules), words.js (a filter of words) and
// leaked.ribbon (the large one) beside this page.  Without them it says so.

(function (global) {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const HOW = "“make page” in ribbon’s source tree puts it here, and serves this page.";
  let words = null;
  let remote = null;

  function load(src) {
    return new Promise((resolve) => {
      const script = Object.assign(document.createElement("script"), { src });
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    });
  }

  function show(id, title, ...lines) {
    const heading = Object.assign(document.createElement("h3"), { textContent: title });
    $(id).replaceChildren(
      heading,
      ...lines.map(([text, className]) =>
        Object.assign(document.createElement("p"), { textContent: text, className: className ?? "" }),
      ),
    );
  }

  const number = (n) => n.toLocaleString("en");

  async function openWords() {
    if (!global.ribbonfilter || !global.RibbonWords)
      return show("local-result", "Here", [`The core is not here. ${HOW}`]);
    const bytes = Uint8Array.from(atob(global.RibbonWords.base64), (c) => c.charCodeAt(0));
    words = await global.ribbonfilter.Filter.fromBytes(bytes);
    show("local-result", "Here", [
      `${number(words.size)} words of ${global.RibbonWords.source}, ${number(bytes.length)} bytes ` +
        `(${words.stats.bitsPerKey.toFixed(1)} bits each), wrong yes 1 in ${Math.round(1 / words.fpr)}.`,
    ]);
  }

  async function openRemote() {
    const title = "On the server";
    if (!global.ribbonfilter) return show("remote-result", title, [`The core is not here. ${HOW}`]);
    if (location.protocol === "file:")
      return show("remote-result", title, [
        "This page was opened as a file, so it has no server. “make page” serves it.",
      ]);
    try {
      remote = await global.ribbonfilter.Filter.openRemote("leaked.ribbon", { timeout: 10000 });
    } catch (error) {
      return show("remote-result", title, [`${error.message}${error.hint ? ` (${error.hint})` : ""}`]);
    }
    const { requests, bytes } = remote.traffic;
    const asked = `${requests} request${requests > 1 ? "s" : ""}`;
    show("remote-result", title, [
      `${number(remote.size)} passwords, ${number(remote.stats.bytes)} bytes, wrong yes 1 in ` +
        `${Math.round(1 / remote.fpr)}. To open it took ${asked} and ${number(bytes)} bytes.`,
    ]);
  }

  const verdict = (found, fpr) =>
    found
      ? [`It is known (or it is one unknown word in ${Math.round(1 / fpr)}).`, "verdict no"]
      : ["It is surely not known.", "verdict yes"];

  function checkHere(password) {
    if (!words) return;
    const began = performance.now();
    let found = false;
    for (let i = 0; i < 1000; i++) found = words.has(password);
    const time = performance.now() - began; // of a thousand: microseconds for one
    show("local-result", "Here", verdict(found, words.fpr), [
      `${time.toFixed(2)} µs per lookup; nothing went over the wire.`,
    ]);
  }

  async function checkRemote(password) {
    if (!remote) return;
    const before = remote.traffic;
    try {
      const found = await remote.has(password);
      const { requests, bytes } = remote.traffic;
      const fetched =
        requests > before.requests
          ? `${requests - before.requests} requests fetched ${number(bytes - before.bytes)} of ${number(remote.stats.bytes)} bytes`
          : "All of what it takes was here already, from questions before";
      show("remote-result", "On the server", verdict(found, remote.fpr), [`${fetched} (beside HTTP’s own headers).`]);
    } catch (error) {
      show("remote-result", "On the server", [`${error.message}${error.hint ? ` (${error.hint})` : ""}`]);
    }
  }

  $("password-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const password = $("password").value;
    if (password === "") return;
    checkHere(password);
    checkRemote(password);
  });
  $("show-password").addEventListener("change", () => {
    $("password").type = $("show-password").checked ? "text" : "password";
  });

  (async () => {
    if (await load("core.js")) await load("words.js");
    global.RibbonPlot();
    await Promise.all([openWords(), openRemote()]);
    document.documentElement.dataset.ready = "yes";
  })();
})(globalThis);
