// page.js - settings and player: from keys to a filter, and its steps on the stage

(function (global) {
  "use strict";

  const model = global.RibbonModel;
  const $ = (id) => document.getElementById(id);
  const SYLLABLES = (
    "ba be bi bo da de di do fa fe fi ga go ka ki ko la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro " +
    "sa se si so ta te ti to va ve vi wa we zo"
  ).split(" ");
  const page = { filter: null, position: 0, timer: null, lit: null, listeners: [] };

  // Random words of four syllables, the same for the same number.
  function word(number) {
    let z = model.mix(BigInt(number) + 0x5eedn);
    let text = "";
    for (let i = 0; i < 4; i++, z >>= 16n) text += SYLLABLES[Number((z & 0xffffn) % BigInt(SYLLABLES.length))];
    return text;
  }
  page.word = word;

  let seed = 0;
  function generate() {
    const n = +$("n").value;
    const keys = new Set();
    for (let i = 0; keys.size < n; i++) keys.add(word(seed * 100000 + i));
    $("keys").value = [...keys].join("\n");
  }

  const typedKeys = () =>
    [
      ...new Set(
        $("keys")
          .value.split("\n")
          .map((key) => key.trim())
          .filter((key) => key !== ""),
      ),
    ].slice(0, 400);

  function showSettings(keys) {
    const overload = +$("overload").value / 100;
    $("n").nextElementSibling.value = keys.length;
    $("w").nextElementSibling.value = `${$("w").value} bits`;
    $("r").nextElementSibling.value = `${$("r").value} bits: wrong yes 1 in ${2 ** +$("r").value}`;
    const slots = Math.round(keys.length * (1 + overload));
    $("overload").nextElementSibling.value = `${slots} slots (${overload > 0 ? "+" : ""}${$("overload").value} %)`;
  }

  // Build anew, and go to the first step.
  function rebuild() {
    const keys = typedKeys();
    const kind = document.querySelector('[name="kind"]:checked').value;
    if (kind === "homogeneous" && +$("overload").value < 5) $("overload").value = 5;
    const options = { keys, width: +$("w").value, resultBits: +$("r").value, overload: +$("overload").value / 100 };
    stop();
    showSettings(keys);
    page.filter = model.build({ ...options, kind });
    page.lit = null;
    $("position").max = page.filter.steps.length;
    $("next-bump").disabled = !page.filter.steps.some((step) => step.what === "bump");
    compareKinds(options, kind);
    showStored();
    show(0);
    for (const listener of page.listeners) listener();
  }

  function compareKinds(options, kind) {
    if (options.keys.length === 0) return ($("beside").textContent = "");
    const other = model.build({
      ...options,
      kind: kind === "burr" ? "homogeneous" : "burr",
      overload: kind === "burr" ? Math.max(options.overload, 0.33) : options.overload,
    });
    const [burr, homogeneous] = kind === "burr" ? [page.filter, other] : [other, page.filter];
    $("beside").textContent =
      `The same keys: BuRR ${describe(burr)}; homogeneous ${describe(homogeneous)}. ` +
      "A homogeneous filter never fails and has one layer, but it needs spare slots: the fuller it is, the more " +
      "equations of other keys follow from its own, and get a wrong yes.";
  }

  // What the table takes.
  function showStored() {
    const { layers, keys, resultBits } = page.filter;
    const parts = layers.map(({ system, codes }, i) => {
      const blocks = Math.ceil(system.slots / system.width);
      const thresholds = codes ? ` and ${codes.length} thresholds of 2 bits` : "";
      return `Layer ${i + 1}: ${system.slots} slots in ${blocks} block${blocks > 1 ? "s" : ""}${thresholds}.`;
    });
    const bits = layers.reduce(
      (sum, layer) => sum + layer.system.slots * resultBits + 2 * (layer.codes?.length ?? 0),
      0,
    );
    if (keys.length > 0) parts.push(`In all ${bits} bits, ${(bits / keys.length).toFixed(2)} per key.`);
    $("stored").textContent = parts.join(" ");
  }

  function describe(filter) {
    const slots = filter.layers.reduce((sum, layer) => sum + layer.system.slots, 0);
    let wrong = 0;
    for (let i = 0; i < 4000; i++) wrong += model.probe(filter, model.mix(BigInt(i) + 0xabcdefn)).answer;
    const layers = filter.layers.length === 1 ? "one layer" : `${filter.layers.length} layers`;
    return `takes ${slots} slots in ${layers}, and gives a wrong yes to ${(wrong / 40).toFixed(1)} % of other keys`;
  }

  // --- what a step says ---

  const name = (key) => `“${page.filter.keys[key]}”`;
  const names = (keys) =>
    keys.slice(0, 6).map(name).join(", ") + (keys.length > 6 ? ` and ${keys.length - 6} more` : "");
  const layerName = (number) => (page.filter.layers.length > 1 ? ` of layer ${number + 1}` : "");

  function say(step) {
    switch (step?.what) {
      case undefined:
        return page.filter.keys.length > 0
          ? `${page.filter.keys.length} keys, as they were typed. Press Play, or the right arrow key.`
          : "No key: such a filter says no to everything.";
      case "hash":
        return step.layer === 0
          ? "Each key has been hashed: a line shows its row from its start on, and its fingerprint at the right."
          : `Layer ${step.layer + 1}: ${step.keys.length} bumped keys, hashed anew.`;
      case "place":
        return `${name(step.key)} starts at slot ${step.slot}: place ${step.place + 1}.`;
      case "sorted":
        return `Sorted${layerName(step.layer)}: the equations are a diagonal ribbon, ${step.system.width} wide.`;
      case "last":
        return `The last layer${layerName(step.layer)} takes all ${step.keys.length} keys that are left, with seed ${step.seed}.`;
      case "retry":
        return `With seed ${step.seed} the last layer does not hold all keys in ${step.slots} slots: another seed.`;
      case "begin":
        return step.phase === "back"
          ? `Back substitution${layerName(step.layer)}: from the last slot to the first, each row gives one slot’s bits.`
          : `${name(step.key)} starts at slot ${step.slot}.`;
      case "xor":
        return step.row === 0n
          ? `Slot ${step.slot} is taken. ${name(step.key)} XOR the row that is there: nothing is left.`
          : `Slot ${step.slot} is taken. ${name(step.key)} XOR the row that is there now begins at slot ${step.next}.`;
      case "store":
        return `Slot ${step.slot} is empty: ${name(step.key)} stays there, as its pivot.`;
      case "redundant":
        return `0 = 0: the equation of ${name(step.key)} follows from the others. Nothing to store.`;
      case "contradiction":
        return `0 = 1: ${name(step.key)} does not fit.`;
      case "bump":
        return (
          `Bumping: of the bucket of slots ${step.first} to ${step.first + step.size - 1}, all keys that start in its ` +
          `first ${step.threshold} slots leave for the next layer: ${names(step.bumped)}. Only the threshold is stored, two bits.`
        );
      case "free":
        return `Slot ${step.slot} has no row: it is free, and may be anything.`;
      case "solve":
        return `Slot ${step.slot}: its row’s fingerprint XOR the slots that the row selects behind it.`;
      default:
        return (
          `Solved: ${page.filter.layers.reduce((sum, layer) => sum + layer.system.slots, 0)} slots of ` +
          `${page.filter.resultBits} bits. The equations are thrown away; section 3 shows what is kept.` +
          (page.filter.layers.length > 1 ? "" : " No key was bumped: choose “Too few slots: bumping” to see that.")
        );
    }
  }

  // --- the stage ---

  function show(position) {
    page.position = Math.min(Math.max(position, 0), page.filter.steps.length);
    const state = model.replay(page.filter, page.position);
    const text = page.lit ? `The probe of “${page.asked}” reads the framed slots.` : say(state.step);
    const bump = state.step?.what === "bump";
    const strong = document.createElement("strong");
    strong.className = "bump";
    strong.textContent = text;
    $("step").replaceChildren(bump ? strong : text);
    $("position").value = page.position;
    $("position").setAttribute("aria-valuetext", `step ${page.position} of ${page.filter.steps.length}: ${text}`);
    if (page.timer === null || bump || state.step?.what === "begin") announce(text, state.step);
    const phase = state.phase === "layer" ? "eliminate" : state.phase;
    for (const item of document.querySelectorAll(".phases li"))
      item.toggleAttribute("aria-current", item.dataset.phase === phase);
    showCounts(state);
    $("first").disabled = $("back").disabled = page.position === 0;
    $("next").disabled = $("last").disabled = page.position === page.filter.steps.length;
    draw(state);
  }
  page.show = show;

  // While it plays, a screen reader is told of bumps and new phases alone.
  function announce(text, step) {
    if (page.timer !== null && step.what === "begin" && step.phase !== "back") return;
    $("live").textContent = text;
  }

  function showCounts(state) {
    const { layers } = page.filter;
    const counts = [
      ["step", `${page.position} / ${page.filter.steps.length}`],
      ["XORs of rows", state.xors],
      ["pivots", state.pivots],
      ["bumped keys", state.bumped.size],
      ["thresholds set", state.codes.flat().filter((code) => code > 0).length],
      ["layer", layers.length > 0 ? `${state.layer + 1} of ${layers.length}` : "none"],
    ];
    if (state.redundant > 0) counts.push(["redundant", state.redundant]);
    $("counts").replaceChildren(
      ...counts.map(([term, value]) => {
        const pair = document.createElement("div");
        pair.append(
          Object.assign(document.createElement("dt"), { textContent: term }),
          Object.assign(document.createElement("dd"), { textContent: value }),
        );
        return pair;
      }),
    );
  }

  function draw(state = model.replay(page.filter, page.position)) {
    global.RibbonDraw.matrix($("matrix"), page.filter, state, page.lit);
    $("stage").setAttribute("aria-label", `The equations. ${$("step").textContent}`);
    global.RibbonDraw.table($("table"), page.filter, page.lit);
  }

  // Light up what a question looks at; the equations are shown solved then.
  page.light = (lit, key) => {
    page.lit = lit;
    page.asked = key;
    stop();
    const steps = page.filter.steps;
    page.position = steps.length;
    if (lit)
      page.position =
        steps.findLastIndex((step) => step.layer === lit.layer && step.phase === "back") + 1 || steps.length;
    show(page.position);
  };

  // --- the player ---

  function stop() {
    clearInterval(page.timer);
    page.timer = null;
    $("play").textContent = "Play";
    $("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    page.lit = null;
    if (page.position === page.filter.steps.length) show(0);
    const still = global.matchMedia("(prefers-reduced-motion: reduce)").matches;
    page.timer = setInterval(
      () => {
        show(page.position + 1);
        if (page.position === page.filter.steps.length) stop();
      },
      still ? Math.max(1000, +$("speed").value) : +$("speed").value,
    );
    $("play").textContent = "Pause";
    $("play").setAttribute("aria-pressed", "true");
  }

  const toggle = () => (page.timer === null ? play() : stop());
  const go = (position) => {
    stop();
    page.lit = null;
    show(position);
  };

  function nextBump() {
    const { steps } = page.filter;
    const next = steps.findIndex((step, i) => i >= page.position && step.what === "bump");
    go((next < 0 ? steps.findIndex((step) => step.what === "bump") : next) + 1);
  }

  function preset(n, overload) {
    document.querySelector('[value="burr"]').checked = true;
    Object.assign($("n"), { value: n });
    Object.assign($("w"), { value: 12 });
    Object.assign($("overload"), { value: overload });
    generate();
    rebuild();
  }

  function listen() {
    for (const id of ["w", "r", "overload"]) $(id).addEventListener("input", rebuild);
    for (const radio of document.querySelectorAll('[name="kind"]')) radio.addEventListener("change", rebuild);
    $("keys").addEventListener("input", rebuild);
    $("n").addEventListener("input", () => (generate(), rebuild()));
    $("generate").addEventListener("click", () => (seed++, generate(), rebuild()));
    $("preset-roomy").addEventListener("click", () => preset(48, 33));
    $("preset-bumping").addEventListener("click", () => preset(96, -12));
    $("settings").addEventListener("submit", (event) => event.preventDefault());
    $("first").addEventListener("click", () => go(0));
    $("back").addEventListener("click", () => go(page.position - 1));
    $("next").addEventListener("click", () => go(page.position + 1));
    $("last").addEventListener("click", () => go(page.filter.steps.length));
    $("play").addEventListener("click", toggle);
    $("next-bump").addEventListener("click", nextBump);
    $("speed").addEventListener("change", () => page.timer !== null && (stop(), play()));
    $("position").addEventListener("input", () => go(+$("position").value));
    $("stage").addEventListener("keydown", (event) => {
      const action = {
        ArrowRight: () => go(page.position + 1),
        ArrowLeft: () => go(page.position - 1),
        Home: () => go(0),
        End: () => go(page.filter.steps.length),
        " ": toggle,
        b: nextBump,
      }[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    new ResizeObserver(() => draw()).observe($("stage"));
    global.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  }

  global.RibbonPage = page;
  generate();
  listen();
  rebuild();
})(globalThis);
