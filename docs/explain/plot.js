// plot.js - bytes against false-positive rate, beside other filters

(function (global) {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [380, 56, 118, 16, 46];
  const BITS = [1, 18]; // of log2(1 / rate)

  // Bits per key, by log2(1 / rate) and the number of keys.  Xor and fuse filters have whole bits.
  const whole = (bits) => Math.ceil(bits - 1e-9);
  const fuse = (n) => Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(n));
  const FILTERS = [
    { name: "Bloom", colour: "no", bits: (b) => 1.4427 * b },
    { name: "xor", colour: "current", steps: true, bits: (b, n) => whole(b) * (1.23 + 32 / n) },
    { name: "binary fuse", colour: "bumped", steps: true, bits: (b, n) => whole(b) * fuse(n) },
    { name: "homogeneous", colour: "result", kind: "homogeneous", bits: (b) => b * (1 + (4 + b / 4) / 64) },
    { name: "BuRR", colour: "pivot", kind: "burr", bits: (b) => b * 1.003 },
    { name: "the least possible", colour: "faint", bits: (b) => b, dashed: true },
  ];

  function node(tag, attributes, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function size(bytes) {
    if (bytes === 0) return "0";
    for (const unit of ["bytes", "kB", "MB", "GB"]) {
      if (bytes < 1000 || unit === "GB")
        return `${bytes < 10 && bytes % 1 ? bytes.toFixed(1) : bytes.toFixed(0)} ${unit}`;
      bytes /= 1000;
    }
  }

  // The largest of 1, 2, 5, 10, ... that is not above a number.
  function tick(bytes) {
    const power = 10 ** Math.floor(Math.log10(bytes));
    return power * [5, 2, 1].find((factor) => factor * power <= bytes);
  }

  function rate(bits) {
    const share = 100 * 2 ** -bits;
    return `${share >= 1 ? share.toFixed(0) : share.toPrecision(1)} %`;
  }

  // The bytes of the core's filters, where the core is here.
  async function measured(kind, n, bits) {
    if (!global.ribbonfilter || bits < 1) return null;
    return (8 * (await global.ribbonfilter.expectedBytes(n, { kind, fpr: 2 ** -bits }))) / n;
  }

  async function lines(n) {
    const result = [];
    for (const filter of FILTERS) {
      const points = [];
      for (let b = BITS[0]; b <= BITS[1]; b += 0.25) {
        points.push([b, (filter.kind && (await measured(filter.kind, n, b))) || filter.bits(b, n)]);
        if (filter.steps && b % 1 === 0) points.push([b, filter.bits(b + 0.5, n)]);
      }
      result.push({ ...filter, points });
    }
    return result;
  }

  let latest = 0;
  async function plot() {
    const mine = ++latest;
    const n = +$("plot-keys").value;
    const drawn = await lines(n);
    if (mine !== latest) return;
    const top = 27;
    const WIDTH = Math.max(320, Math.min(720, $("plot").clientWidth));
    const x = (b) => LEFT + ((b - BITS[0]) / (BITS[1] - BITS[0])) * (WIDTH - LEFT - RIGHT);
    const y = (bits) => HEIGHT - BOTTOM - (bits / top) * (HEIGHT - TOP - BOTTOM);
    const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": "plot-title" });
    svg.append(node("title", { id: "plot-title" }, describe(drawn, n)));
    const step = tick((top * n) / 8 / 5);
    for (let bytes = 0; (8 * bytes) / n <= top; bytes += step) {
      const at = y((8 * bytes) / n);
      svg.append(node("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }));
      svg.append(node("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, size(bytes)));
    }
    for (let b = 2; b <= 18; b += WIDTH < 480 ? 8 : 4) {
      svg.append(node("line", { class: "grid", x1: x(b), x2: x(b), y1: TOP, y2: HEIGHT - BOTTOM }));
      svg.append(node("text", { x: x(b), y: HEIGHT - BOTTOM + 17, "text-anchor": "middle" }, rate(b)));
    }
    svg.append(
      node("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, "false-positive rate"),
    );
    let above = -Infinity;
    const labels = drawn.map((line) => ({ line, at: y(line.points.at(-1)[1]) })).sort((a, b) => a.at - b.at);
    for (const { line, at } of labels) {
      above = Math.max(at + 4, above + 15);
      svg.append(node("text", { x: WIDTH - RIGHT + 6, y: above, style: `fill: var(--${line.colour})` }, line.name));
    }
    for (const line of drawn) {
      const d = line.points.map(([b, bits], i) => `${i ? "L" : "M"}${x(b).toFixed(1)} ${y(bits).toFixed(1)}`).join("");
      svg.append(
        node("path", {
          class: "line",
          d,
          style: `stroke: var(--${line.colour})`,
          ...(line.dashed && { "stroke-dasharray": "5 4" }),
        }),
      );
    }
    $("plot").replaceChildren(svg);
    $("plot-source").textContent = global.ribbonfilter
      ? "BuRR and homogeneous: what the core says that it will take. Bloom: the best it can do; xor and binary fuse: " +
        "what their papers say, at whole bits."
      : "By the formulas of the papers; “make page” puts the core here, and then BuRR and homogeneous are what it says.";
  }

  function describe(drawn, n) {
    const at = (name) => size((drawn.find((line) => line.name === name).points.find(([b]) => b === 7)[1] * n) / 8);
    return (
      `At a rate of 0.8 %, ${n} keys take ${at("BuRR")} as BuRR, ${at("homogeneous")} as a homogeneous filter, ` +
      `${at("binary fuse")} as a fuse, ${at("xor")} as a xor and ${at("Bloom")} as a Bloom filter.`
    );
  }

  global.RibbonPlot = plot;
  let width = 0;
  new ResizeObserver(() => {
    if ($("plot").clientWidth !== width) plot();
    width = $("plot").clientWidth;
  }).observe($("plot"));
  $("plot-keys").addEventListener("change", plot);
})(globalThis);
