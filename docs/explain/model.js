// model.js - a small ribbon filter, taken to pieces: the teaching model of this page
//
// The same steps as the core's (docs/algorithm.md), one at a time and written down, for any ribbon
// width up to 64.  It knows keys by 64-bit hashes, and makes start, row and fingerprint of them as the
// core does (docs/format.md, section 2); clients/js/test/test_model.mjs holds it against the core.
// Rows are BigInts: bit i stands for slot start + i.

(function (global) {
  "use strict";

  const MASK = (1n << 64n) - 1n;
  const LAYER_STEP = 0x9e3779b97f4a7c15n;
  const SEED_STEP = 0xc2b2ae3d27d4eb4fn;
  const MAX_LAYERS = 4;
  const SEEDS = 16;

  function mix(z) {
    z ^= z >> 33n;
    z = (z * 0xff51afd7ed558ccdn) & MASK;
    z ^= z >> 33n;
    z = (z * 0xc4ceb9fe1a85ec53n) & MASK;
    return z ^ (z >> 33n);
  }

  // A hash for keys that are typed here (the core's is XXH3).
  function hashOf(key) {
    let h = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(key)) h = ((h ^ BigInt(byte)) * 0x100000001b3n) & MASK;
    return mix(h);
  }

  const nextLayer = (hash) => mix((hash + LAYER_STEP) & MASK);
  const seeded = (hash, seed) => (hash * (mix((BigInt(seed + 1) * SEED_STEP) & MASK) | 1n)) & MASK;
  const product = (hash) => (hash * 0x9e3779b97f4a7c15n) & MASK;
  const fingerprint = (hash, bits) => (product(hash) >> 32n) & ((1n << BigInt(bits)) - 1n);

  function coefficients(hash, bits) {
    let c = product(hash);
    c ^= c >> 32n;
    c = (c * 0xd6e8feb86659fd93n) & MASK;
    c ^= c >> 32n;
    return (c & ((1n << BigInt(bits)) - 1n)) | 1n;
  }

  function parity(x) {
    let odd = 0;
    for (; x > 0n; x &= x - 1n) odd ^= 1;
    return odd;
  }

  function lowestBit(x) {
    let i = 0;
    for (; !(x & 1n); x >>= 1n) i++;
    return i;
  }

  // A linear system of so many slots.  kind: "bumped" (a layer), "last", or "homogeneous".
  function system(kind, slots, width, resultBits) {
    const bits = Math.min(width, slots);
    const smash =
      kind === "bumped" ? Math.floor(width / 4) : kind === "last" ? Math.max(0, Math.floor(bits / 2) - 1) : 0;
    return { kind, slots, width: bits, resultBits, smash, starts: slots - bits + 1 };
  }

  // Where a hash starts: more hashes begin at the first and the last place than at others (smash).
  function startOf(sys, hash) {
    const u = Number((hash * BigInt(sys.starts + 2 * sys.smash)) >> 64n);
    return Math.min(Math.max(u - sys.smash, 0), sys.starts - 1);
  }

  function equation(sys, key, hash) {
    return {
      key,
      hash,
      start: startOf(sys, hash),
      row: coefficients(hash, sys.width),
      result: sys.kind === "homogeneous" ? 0n : fingerprint(hash, sys.resultBits),
    };
  }

  // --- elimination ---
  //
  // insert walks an equation to the right until a slot is empty.  Each step of the way is written
  // down in steps, if that is an array.

  function insert(rows, eq, steps, layer) {
    let { row, result, start: slot } = eq;
    for (;;) {
      const there = rows[slot];
      if (there === null) {
        rows[slot] = { key: eq.key, row, result };
        steps?.push({ phase: "eliminate", what: "store", layer, key: eq.key, slot, row, result });
        return slot;
      }
      row ^= there.row;
      result ^= there.result;
      const at = slot;
      const skip = row === 0n ? 0 : lowestBit(row);
      row >>= BigInt(skip);
      slot += skip;
      steps?.push({ phase: "eliminate", what: "xor", layer, key: eq.key, slot: at, next: slot, row, result });
      if (row === 0n) {
        const what = result === 0n ? "redundant" : "contradiction";
        steps?.push({ phase: "eliminate", what, layer, key: eq.key, slot: at });
        return what;
      }
    }
  }

  // The least threshold that bumps this position of a bucket.
  function thresholdFor(thresholds, position) {
    return thresholds.findIndex((threshold) => threshold > position);
  }

  // One bucket: keys from right to left; one that does not fit bumps all below a threshold.
  // least is the number of the threshold that the bucket has in any case.
  function fillBucket(rows, equations, first, thresholds, steps, layer, least = 0) {
    const inserted = [];
    let code = least;
    for (let i = equations.length - 1; i >= 0; i--) {
      const eq = equations[i];
      const position = eq.start - first;
      if (position < thresholds[code]) break;
      steps?.push({
        phase: "eliminate",
        what: "begin",
        layer,
        key: eq.key,
        slot: eq.start,
        row: eq.row,
        result: eq.result,
      });
      const slot = insert(rows, eq, steps, layer);
      if (typeof slot === "number") inserted.push({ position, slot });
      if (slot === "contradiction") code = thresholdFor(thresholds, position);
    }
    const removed = inserted.filter(({ position }) => position < thresholds[code]).map(({ slot }) => slot);
    for (const slot of removed) rows[slot] = null;
    const bumped = equations.filter((eq) => eq.start - first < thresholds[code]).map((eq) => eq.key);
    if (code > 0) {
      const [threshold, size] = [thresholds[code], thresholds[3]];
      steps?.push({ phase: "eliminate", what: "bump", layer, first, size, threshold, code, removed, bumped });
    }
    return code;
  }

  // Fill a bumped layer.  leastCodes, if there are any, are codes that buckets have at least.
  function fillLayer(sys, equations, { bucket, thresholds }, steps, layer, leastCodes) {
    const rows = new Array(sys.slots).fill(null);
    const codes = [];
    let i = 0;
    for (let first = 0; first < sys.starts; first += bucket) {
      const begin = i;
      while (i < equations.length && equations[i].start < first + bucket) i++;
      codes.push(
        fillBucket(rows, equations.slice(begin, i), first, thresholds, steps, layer, leastCodes?.[codes.length]),
      );
    }
    const kept = (eq) => eq.start % bucket >= thresholds[codes[Math.floor(eq.start / bucket)]];
    return { rows, codes, bumped: equations.filter((eq) => !kept(eq)).map((eq) => eq.key) };
  }

  // Fill a system that must hold all equations: null if it cannot.
  function fillAll(sys, equations, steps, layer) {
    const rows = new Array(sys.slots).fill(null);
    for (const eq of equations) {
      steps?.push({
        phase: "eliminate",
        what: "begin",
        layer,
        key: eq.key,
        slot: eq.start,
        row: eq.row,
        result: eq.result,
      });
      if (insert(rows, eq, steps, layer) === "contradiction") return null;
    }
    return rows;
  }

  // --- back substitution: from the last slot to the first ---

  function backSubstitute(sys, rows, steps, layer) {
    const solution = new Array(sys.slots).fill(0n);
    let free = 0;
    for (let slot = sys.slots - 1; slot >= 0; slot--) {
      const there = rows[slot];
      if (there === null) {
        // anything will do; a homogeneous filter must not be all zeros
        solution[slot] = sys.kind === "homogeneous" ? 1n << BigInt(free++ % sys.resultBits) : 0n;
        steps?.push({ phase: "back", what: "free", layer, slot, value: solution[slot] });
        continue;
      }
      let value = there.result;
      for (let i = 1; i < sys.width; i++) if ((there.row >> BigInt(i)) & 1n) value ^= solution[slot + i];
      solution[slot] = value;
      steps?.push({ phase: "back", what: "solve", layer, slot, value });
    }
    return solution;
  }

  // What is stored for an equation: the XOR of the slots that its row selects.
  function lookUp(solution, eq) {
    let value = 0n;
    for (let i = 0, row = eq.row; row > 0n; i++, row >>= 1n) if (row & 1n) value ^= solution[eq.start + i];
    return value;
  }

  // --- a whole filter ---

  // Buckets for a width: their size, and four thresholds, in proportion to the core's for w = 32.
  function bucketsFor(width) {
    if (width === 64) return { bucket: 128, thresholds: [0, 21, 42, 128] };
    const bucket = width <= 10 ? 8 : width <= 20 ? 16 : 32;
    return { bucket, thresholds: [0, bucket / 4, bucket / 2, bucket] };
  }

  function sorted(sys, keys, hashes) {
    return keys
      .map((key) => equation(sys, key, hashes[key]))
      .sort((a, b) => a.start - b.start || (a.hash < b.hash ? -1 : 1));
  }

  // The last layer takes every key: another seed, or after all seeds one more slot.
  function buildLast(keys, hashes, width, resultBits, steps, number) {
    for (let slots = keys.length; ; slots++)
      for (let seed = 0; seed < SEEDS; seed++) {
        const sys = system("last", slots, width, resultBits);
        const now = keys.map((key) => seeded(hashes[key], seed));
        const equations = keys.map((key, i) => equation(sys, key, now[i])).sort((a, b) => a.start - b.start);
        const tried = [];
        tried.push({ phase: "layer", what: "last", layer: number, seed, keys, system: sys, equations });
        const rows = fillAll(sys, equations, tried, number);
        if (rows === null) {
          steps.push({ phase: "layer", what: "retry", layer: number, seed, slots });
          continue;
        }
        steps.push(...tried);
        return { system: sys, rows, equations, seed, kept: keys, bumped: [] };
      }
  }

  // Build a filter of texts, or of anything with a hash of its own: keys are numbered.
  //   { keys, hashes?, width, resultBits, overload, kind: "burr" | "homogeneous" }
  // overload is slots more than keys in the first layer, a share: 0.33 for 64 slots of 48 keys.
  function build({ keys, hashes = keys.map(hashOf), width, resultBits, overload, kind }) {
    const steps = [];
    const layers = [];
    const buckets = bucketsFor(width);
    let left = keys.map((_, i) => i);
    let now = [...hashes];
    if (kind === "homogeneous") {
      const sys = system("homogeneous", Math.max(Math.round(keys.length * (1 + overload)), width), width, resultBits);
      const equations = sorted(sys, left, now);
      announce(steps, sys, left, equations, 0);
      layers.push({ system: sys, rows: fillAll(sys, equations, steps, 0), equations, kept: left, bumped: [] });
      left = [];
    }
    while (left.length > 0) {
      const number = layers.length;
      const slots = Math.round(left.length * (1 + overload));
      if (slots < 2 * width || number === MAX_LAYERS) {
        layers.push(buildLast(left, now, width, resultBits, steps, number));
        break;
      }
      const sys = system("bumped", slots, width, resultBits);
      const equations = sorted(sys, left, now);
      announce(steps, sys, left, equations, number);
      const { rows, codes, bumped } = fillLayer(sys, equations, buckets, steps, number);
      const kept = left.filter((key) => !bumped.includes(key));
      layers.push({ system: sys, rows, codes, equations, kept, bumped, ...buckets });
      left = bumped;
      now = now.map(nextLayer);
    }
    layers.forEach((layer, number) => {
      steps.push({ phase: "back", what: "begin", layer: number });
      layer.solution = backSubstitute(layer.system, layer.rows, steps, number);
    });
    steps.push({ phase: "done", what: "done", layer: 0 });
    return { keys, hashes, width, resultBits, kind, layers, steps };
  }

  // The keys come as they were typed, and are put in the order of their starting positions.
  function announce(steps, sys, keys, equations, layer) {
    steps.push({ phase: layer === 0 ? "sort" : "layer", what: "hash", layer, keys, system: sys });
    if (layer === 0)
      equations.forEach((eq, i) =>
        steps.push({ phase: "sort", what: "place", layer, key: eq.key, slot: eq.start, place: i }),
      );
    steps.push({ phase: layer === 0 ? "sort" : "layer", what: "sorted", layer, system: sys, equations });
  }

  // Is a key in it?  With all that is looked at on the way.
  function probe(filter, hash) {
    const path = [];
    for (let number = 0; number < filter.layers.length; number++) {
      const layer = filter.layers[number];
      const sys = layer.system;
      const seen = layer.seed === undefined ? hash : seeded(hash, layer.seed);
      const eq = equation(sys, -1, seen);
      if (layer.codes) {
        const bucket = Math.floor(eq.start / layer.bucket);
        const threshold = layer.thresholds[layer.codes[bucket]];
        if (eq.start % layer.bucket < threshold) {
          path.push({ layer: number, start: eq.start, bucket, threshold, bumped: true });
          hash = nextLayer(hash);
          continue;
        }
      }
      const stored = lookUp(layer.solution, eq);
      path.push({ layer: number, ...eq, stored, bumped: false });
      return { path, answer: stored === eq.result };
    }
    return { path, answer: false }; // no key, no layer
  }

  // What the filter is after the first n steps: the rows of each layer, and so on.
  function replay(filter, n) {
    const state = {
      phase: "sort",
      layer: 0,
      order: filter.keys.map((_, i) => i),
      placed: 0,
      xors: 0,
      pivots: 0,
      redundant: 0,
      bumped: new Set(),
      retries: 0,
      current: null,
      step: null,
      rows: filter.layers.map((layer) => new Array(layer.system.slots).fill(null)),
      codes: filter.layers.map((layer) => layer.codes?.map(() => null)),
      solution: filter.layers.map((layer) => new Array(layer.system.slots).fill(null)),
    };
    for (let i = 0; i < n; i++) apply(state, filter.steps[i]);
    return state;
  }

  function apply(state, step) {
    state.phase = step.phase;
    state.step = step;
    state.layer = step.layer;
    const rows = state.rows[step.layer];
    switch (step.what) {
      case "place":
        state.order.splice(state.order.indexOf(step.key), 1);
        state.order.splice(step.place, 0, step.key);
        state.placed = step.place + 1;
        break;
      case "begin":
        state.current = step.phase === "back" ? null : { ...step };
        break;
      case "xor":
        state.xors++;
        state.current = { ...step, slot: step.next, from: step.slot };
        break;
      case "store":
        rows[step.slot] = { key: step.key, row: step.row, result: step.result };
        state.pivots++;
        state.current = null;
        break;
      case "redundant":
        state.redundant++;
        state.current = null;
        break;
      case "bump":
        for (const slot of step.removed) rows[slot] = null;
        state.pivots -= step.removed.length;
        for (const key of step.bumped) state.bumped.add(key);
        state.current = null;
        state.codes[step.layer][step.first / step.size] = step.code;
        break;
      case "retry":
        state.retries++;
        break;
      case "free":
      case "solve":
        state.solution[step.layer][step.slot] = step.value;
        break;
      case "hash":
      case "last":
        state.current = null;
        break;
    }
  }

  const model = {
    mix,
    hashOf,
    nextLayer,
    seeded,
    fingerprint,
    coefficients,
    parity,
    system,
    startOf,
    equation,
    insert,
    fillLayer,
    fillAll,
    backSubstitute,
    lookUp,
    bucketsFor,
    build,
    probe,
    replay,
    sorted,
  };
  global.RibbonModel = model;
  if (typeof module === "object" && module.exports) module.exports = model;
})(typeof globalThis === "object" ? globalThis : this);
