// draw.js - the pictures: equations as a matrix, the solution in interleaved columns

(function (global) {
  "use strict";

  // Colours are those of style.css, light or dark.
  function colours() {
    const style = getComputedStyle(document.documentElement);
    return (name) => style.getPropertyValue(`--${name}`).trim();
  }

  // A canvas of so many cells, as wide as its place; calls draw with a context and a cell's size.
  function withCells(canvas, columns, rows, most, draw) {
    const width = canvas.parentElement.clientWidth;
    const cell = Math.min(most, width / columns);
    const scale = global.devicePixelRatio || 1;
    canvas.style.width = `${cell * columns}px`;
    canvas.style.height = `${Math.ceil(cell * rows)}px`;
    canvas.width = Math.round(cell * columns * scale);
    canvas.height = Math.round(cell * rows * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    draw(context, cell);
  }

  function painter(context, cell) {
    const gap = cell > 6 ? 1 : cell > 3.5 ? 0.5 : 0;
    return (column, row, colour, tall = 1) => {
      context.fillStyle = colour;
      context.fillRect(column * cell, row * cell, cell - gap, tall * cell - gap);
    };
  }

  function paintRow(paint, start, bits, line, first, others) {
    for (let i = 0, rest = bits; rest > 0n; i++, rest >>= 1n)
      if (rest & 1n) paint(start + i, line, i === 0 ? first : others);
  }

  function paintBits(paint, left, bits, count, line, on, off) {
    for (let i = 0; i < count; i++) paint(left + i, line, (bits >> BigInt(i)) & 1n ? on : off);
  }

  // The equations of a layer, in a state of model.replay.  lit: what a question looks at, or null.
  function matrix(canvas, filter, state, lit) {
    const colour = colours();
    const layer = filter.layers[state.layer];
    if (!layer) return withCells(canvas, 10, 1, 14, () => {});
    const { slots, resultBits, width } = layer.system;
    const sorting = state.phase === "sort" || (state.step?.phase === "layer" && state.step.what !== "retry");
    const lines = sorting ? Math.max(state.layer === 0 ? filter.keys.length : layer.equations.length, 4) : slots;
    const results = slots + 1;
    const solutions = results + resultBits + 1;
    const most = Math.max(4, Math.min(14, 620 / lines));
    withCells(canvas, solutions + resultBits, lines, most, (context, cell) => {
      const paint = painter(context, cell);
      for (let line = 0; line < lines; line++) {
        for (let c = 0; c < slots; c++) paint(c, line, colour("grid"));
        for (let c = 0; c < resultBits; c++) paint(results + c, line, colour("grid"));
        for (let c = 0; c < resultBits; c++) paint(solutions + c, line, colour("grid"));
      }
      if (sorting) paintEquations(paint, filter, state, layer, results, colour);
      else paintSystem(context, paint, cell, state, layer, { results, solutions, lines, width }, colour, lit);
      if (layer.codes) paintBuckets(context, cell, state, layer, lines, colour);
    });
  }

  function paintEquations(paint, filter, state, layer, results, colour) {
    const byKey = new Map(layer.equations.map((eq) => [eq.key, eq]));
    const order = state.layer === 0 ? state.order : layer.equations.map((eq) => eq.key);
    order.forEach((key, line) => {
      const eq = byKey.get(key);
      if (!eq) return;
      const now = state.step?.what === "place" && state.step.key === key;
      const placed = state.layer > 0 || line < state.placed;
      paintRow(paint, eq.start, eq.row, line, colour(now ? "current" : "pivot"), colour(now ? "current" : "row"));
      paintBits(
        paint,
        results,
        eq.result,
        layer.system.resultBits,
        line,
        colour(placed ? "result" : "line"),
        colour("grid"),
      );
    });
  }

  function paintSystem(context, paint, cell, state, layer, at, colour, lit) {
    const rows = state.rows[state.layer];
    const solution = state.solution[state.layer];
    const { resultBits } = layer.system;
    rows.forEach((there, slot) => {
      if (there) {
        paintRow(paint, slot, there.row, slot, colour("pivot"), colour("row"));
        paintBits(paint, at.results, there.result, resultBits, slot, colour("result"), colour("grid"));
      }
      if (solution[slot] !== null)
        paintBits(paint, at.solutions, solution[slot], resultBits, slot, colour("solution"), colour("grid"));
    });
    const { current, step } = state;
    if (current) {
      paintRow(paint, current.slot, current.row, current.slot, colour("current"), colour("current"));
      paintBits(paint, at.results, current.result, resultBits, current.slot, colour("current"), colour("grid"));
      frame(context, cell, 0, current.slot, layer.system.slots, 1, colour("current"));
    }
    if (step?.what === "bump") for (const slot of step.removed) paint(slot, slot, colour("bumped"));
    if (step?.phase === "back" && step.slot !== undefined && !lit) {
      frame(context, cell, step.slot, step.slot, at.width, 1, colour("current"));
      frame(
        context,
        cell,
        at.solutions,
        step.slot,
        resultBits,
        Math.min(at.width, at.lines - step.slot),
        colour("current"),
      );
    }
    if (lit && lit.layer === state.layer) {
      for (let i = 0, rest = lit.row; rest > 0n; i++, rest >>= 1n)
        if (rest & 1n) frame(context, cell, at.solutions, lit.start + i, resultBits, 1, colour("current"));
    }
  }

  // Where buckets begin, and what their thresholds bump.
  function paintBuckets(context, cell, state, layer, lines, colour) {
    const codes = state.codes[state.layer];
    codes.forEach((code, k) => {
      const first = k * layer.bucket;
      context.fillStyle = colour("line");
      if (k > 0) context.fillRect(first * cell - 1, 0, 1, lines * cell);
      if (!code) return;
      const length = Math.min(layer.thresholds[code], layer.system.starts - first);
      context.globalAlpha = 0.28;
      context.fillStyle = colour("bumped");
      context.fillRect(first * cell, 0, length * cell, lines * cell);
      context.globalAlpha = 1;
      context.fillRect((first + length) * cell - 2, 0, 2, lines * cell);
    });
  }

  function frame(context, cell, column, row, columns, rows, colour) {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, Math.min(2, cell / 4));
    context.strokeRect(column * cell, row * cell, columns * cell, rows * cell);
  }

  // The table: of each layer blocks of w slots, of each block r columns, side by side as they lie in memory.
  function table(canvas, filter, lit) {
    const colour = colours();
    const room = canvas.parentElement.clientWidth;
    const widest = Math.max(1, ...filter.layers.map((layer) => layer.system.width));
    const most = room < 480 ? 8 : 11;
    const perLine = Math.max(1, Math.floor(room / ((widest + 2) * most)));
    const places = [];
    let line = 0;
    filter.layers.forEach((layer, number) => {
      const blocks = Math.ceil(layer.system.slots / layer.system.width);
      for (let b = 0; b < blocks; b++)
        places.push({
          number,
          b,
          column: (b % perLine) * (widest + 2),
          line: line + Math.floor(b / perLine) * (filter.resultBits + 1),
        });
      line += Math.ceil(blocks / perLine) * (filter.resultBits + 1) + 1;
    });
    withCells(canvas, perLine * (widest + 2), Math.max(line, 1), most, (context, cell) => {
      const paint = painter(context, cell);
      for (const { number, b, column, line } of places) {
        const { system, solution } = filter.layers[number];
        for (let i = 0; i < system.width && b * system.width + i < system.slots; i++) {
          const slot = b * system.width + i;
          const seen = lit && lit.layer === number && slot >= lit.start && slot < lit.start + system.width;
          const taken = seen && (lit.row >> BigInt(slot - lit.start)) & 1n;
          for (let c = 0; c < system.resultBits; c++) {
            const bit = (solution[slot] >> BigInt(c)) & 1n;
            paint(column + i, line + c, colour(bit ? (taken ? "current" : "solution") : taken ? "line" : "grid"));
          }
          if (taken) frame(context, cell, column + i, line, 1, system.resultBits, colour("current"));
        }
      }
    });
    canvas.setAttribute(
      "aria-label",
      `The table: ${filter.layers
        .map(
          (layer, i) =>
            `layer ${i + 1} has ${Math.ceil(layer.system.slots / layer.system.width)} blocks of ${layer.system.width} slots`,
        )
        .join(", ")}`,
    );
  }

  global.RibbonDraw = { matrix, table };
})(globalThis);
