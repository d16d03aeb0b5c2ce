// probe.js - a question, and what it looks at

(function (global) {
  "use strict";

  const { RibbonModel: model, RibbonPage: page } = global;
  const $ = (id) => document.getElementById(id);
  let others = 0;

  function element(tag, text, className) {
    return Object.assign(document.createElement(tag), { textContent: text, className: className ?? "" });
  }

  function ask(key) {
    const { filter } = page;
    const { path, answer } = model.probe(filter, model.hashOf(key));
    const member = filter.keys.includes(key);
    const last = path.at(-1);
    const result = [element("p", verdict(answer, member), `verdict ${answer ? "yes" : "no"}`)];
    for (const stop of path)
      if (stop.bumped)
        result.push(
          element(
            "p",
            `Layer ${stop.layer + 1}: it starts at slot ${stop.start}, below the threshold ` +
              `${stop.threshold} of bucket ${stop.bucket + 1}. It is bumped, so it is looked for in layer ${stop.layer + 2}.`,
          ),
        );
    if (last && !last.bumped)
      result.push(element("p", `Layer ${last.layer + 1}: it starts at slot ${last.start}.`), columns(last));
    $("answer").replaceChildren(...result);
    page.light(last && !last.bumped ? last : null, key);
  }

  function verdict(answer, member) {
    if (!answer) return "No: it is surely not in the set.";
    return member ? "Yes: it is in the set." : "Yes, and that is wrong: a false positive.";
  }

  // What the row selects of each column, and its parity.
  function columns(stop) {
    const { system, solution } = page.filter.layers[stop.layer];
    const table = document.createElement("table");
    table.append(
      element(
        "caption",
        `The row, and in each column the bits that it selects: their parity is to be the fingerprint’s bit.`,
      ),
    );
    const head = table.createTHead().insertRow();
    for (const title of ["column", "bits", "parity", "wanted", ""])
      head.append(Object.assign(element("th", title), { scope: "col" }));
    const body = table.createTBody();
    const bits = (test) => Array.from({ length: system.width }, (_, i) => test(i)).join("");
    const row = (i) => (stop.row >> BigInt(i)) & 1n;
    const cells = (...texts) => {
      const line = body.insertRow();
      for (const text of texts) line.insertCell().textContent = text;
    };
    cells(
      "row",
      bits((i) => row(i)),
      "",
      "",
      "",
    );
    for (let c = 0; c < system.resultBits; c++) {
      const parity = (stop.stored >> BigInt(c)) & 1n;
      const wanted = (stop.result >> BigInt(c)) & 1n;
      cells(
        c,
        bits((i) => (row(i) ? (solution[stop.start + i] >> BigInt(c)) & 1n : "·")),
        parity,
        wanted,
        parity === wanted ? "✓" : "✗",
      );
    }
    const scroll = element("div", "", "scroll");
    scroll.append(table);
    return scroll;
  }

  function askMany() {
    const { filter } = page;
    const members = new Set(filter.keys);
    let wrong = 0;
    let asked = 0;
    for (let i = 0; asked < 10000; i++) {
      const key = `${page.word(7000000 + others + i)}${i}`;
      if (members.has(key)) continue;
      asked++;
      wrong += model.probe(filter, model.hashOf(key)).answer;
    }
    others += 20000;
    const expected = filter.layers.length > 0 ? 100 * 2 ** -filter.resultBits : 0;
    const note =
      filter.kind === "homogeneous"
        ? "at least that: a homogeneous filter adds those whose equations follow from its own"
        : "as chosen by r";
    $("answer").replaceChildren(
      element("p", `Of 10,000 other words ${wrong} get a wrong yes: ${(wrong / 100).toFixed(2)} %.`, "verdict"),
      element("p", `2^-${filter.resultBits} is ${expected.toFixed(2)} %, ${note}.`),
    );
  }

  function askFor(key) {
    $("probe").value = key;
    ask(key);
  }

  const random = (list) => list[Math.floor(Math.random() * list.length)];
  const bumpedKeys = () => [...new Set(page.filter.layers.flatMap((layer) => layer.bumped))];

  $("probe-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if ($("probe").value !== "") ask($("probe").value);
  });
  $("probe-member").addEventListener("click", () => page.filter.keys.length > 0 && askFor(random(page.filter.keys)));
  $("probe-bumped").addEventListener("click", () => askFor(page.filter.keys[random(bumpedKeys())]));
  $("probe-other").addEventListener("click", () => askFor(page.word(9000000 + others++)));
  $("probe-many").addEventListener("click", askMany);
  const reset = () => {
    $("answer").replaceChildren();
    $("probe-bumped").disabled = bumpedKeys().length === 0;
    $("probe-member").disabled = page.filter.keys.length === 0;
  };
  page.listeners.push(reset);
  reset();
})(globalThis);
