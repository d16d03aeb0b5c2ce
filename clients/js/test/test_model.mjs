// test_model.mjs - the teaching model of docs/explain, held against the core
//
// The core builds filters; their bytes are taken apart here, and the model must come to the same
// thresholds and the same slots, from the same hashes.

import assert from "node:assert";
import { Filter, Key } from "../lib/index.js";
import { end, mix, test } from "./testing.mjs";
import "../../../docs/explain/model.js";

const model = globalThis.RibbonModel;
const hashesOf = (n, seed) => BigUint64Array.from({ length: n }, (_, i) => mix(BigInt(seed * 1000000 + i + 1)));
const SCHEMES = {
  32: [
    [32, [0, 8, 16, 32]],
    [64, [0, 9, 21, 64]],
  ],
  64: [
    [128, [0, 21, 42, 128]],
    [256, [0, 20, 46, 256]],
  ],
};

// A filter's bytes (docs/format.md), as far as filters with whole result bits go, neither salted nor shrunk.
function takeApart(bytes) {
  let at = 5;
  const width = [32, 64, 128][(bytes[0] >> 4) & 3];
  const columns = (bytes[3] >> 3) + 1;
  assert.strictEqual(bytes[1] | bytes[2] | (bytes[3] & 7), 0);
  const varint = () => {
    let value = 0;
    for (let shift = 1, byte = 128; byte & 128; shift *= 128) {
      byte = bytes[at++];
      value += (byte & 127) * shift;
    }
    return value;
  };
  const folded = () => {
    const value = varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  at = 4;
  const keys = [varint()];
  const slots = [];
  let scheme = null;
  if (bytes[0] & 128) {
    scheme = SCHEMES[width][bytes[at] & 31];
    for (let left = bytes[at++] >> 5; left > 0; left--) {
      const bumped = varint();
      slots.push(keys.at(-1) - bumped + folded());
      keys.push(bumped);
    }
  }
  const last = keys.at(-1);
  const total = last + varint();
  const nzones = Math.min(16, 1 + Math.floor(last / 1536));
  const zones = [];
  for (let z = 0; z < nzones - 1; z++) zones.push(Math.floor(total / nzones) + folded());
  zones.push(total - zones.reduce((a, b) => a + b, 0));
  const seeds = zones.map((_, z) => (bytes[at + (z >> 1)] >> (4 * (z & 1))) & 15);
  at += Math.ceil(nzones / 2);
  const codes = slots.map((m) => {
    const count = Math.ceil((m - width + 1) / scheme[0]);
    const of = Array.from({ length: count }, (_, k) => (bytes[at + (k >> 2)] >> (2 * (k & 3))) & 3);
    at += Math.ceil(count / 4);
    return of;
  });
  const rows = [...slots, ...zones].map((m, i) => {
    const w = i < slots.length ? width : Math.max(width, 64);
    const solution = Array.from({ length: m }, (_, slot) => {
      const block = Math.floor(slot / w);
      const length = Math.min(w, m - block * w);
      let value = 0n;
      for (let c = 0; c < columns; c++) {
        const bit = block * w * columns + c * length + (slot % w);
        value |= BigInt((bytes[at + (bit >> 3)] >> (bit & 7)) & 1) << BigInt(c);
      }
      return value;
    });
    at += Math.ceil((m * columns) / 8);
    return solution;
  });
  assert.strictEqual(at, bytes.length);
  return {
    width,
    columns,
    keys,
    slots,
    zones,
    seeds,
    codes,
    scheme,
    layers: rows.slice(0, slots.length),
    last: rows.slice(slots.length),
  };
}

// Hold the bumped layers against the model; returns the hashes that the last layer gets.
function checkLayers(parts, hashes) {
  const [bucket, thresholds] = parts.scheme ?? [0, []];
  let left = [...hashes];
  parts.slots.forEach((m, number) => {
    const sys = model.system("bumped", m, parts.width, parts.columns);
    const equations = model.sorted(
      sys,
      left.map((_, i) => i),
      left,
    );
    const natural = model.fillLayer(sys, equations, { bucket, thresholds }, null, number);
    const codes = parts.codes[number];
    // the core tries three thresholds where a stretch of buckets ends, and takes the best: it may bump more there
    const filled = model.fillLayer(sys, equations, { bucket, thresholds }, null, number, codes);
    assert.deepStrictEqual(filled.codes, codes);
    const others = natural.codes.filter((code, k) => code !== codes[k]).length;
    assert.ok(others <= 0.05 * codes.length + 4, `${others} of ${codes.length} thresholds differ`);
    assert.deepStrictEqual(model.backSubstitute(sys, filled.rows, null, number), parts.layers[number]);
    left = filled.bumped.map((i) => model.nextLayer(left[i]));
    assert.strictEqual(left.length, parts.keys[number + 1]);
  });
  return left;
}

function checkLast(parts, left) {
  const zones = parts.zones.map(() => []);
  for (const hash of left) zones[Math.floor((Number(hash >> 53n) * zones.length) / 2048)].push(hash);
  zones.forEach((zone, z) => {
    const sys = model.system("last", parts.zones[z], Math.max(parts.width, 64), parts.columns);
    const now = zone.map((hash) => model.seeded(hash, parts.seeds[z]));
    const equations = model.sorted(
      sys,
      now.map((_, i) => i),
      now,
    );
    const rows = model.fillAll(sys, equations, null, 0);
    assert.ok(rows !== null);
    assert.deepStrictEqual(model.backSubstitute(sys, rows, null, 0), parts.last[z]);
  });
}

await test("w = 32: the same thresholds, bumped keys and slots as the core", async () => {
  for (const [n, bits] of [
    [30000, 1],
    [40000, 4],
    [60000, 8],
  ]) {
    const hashes = hashesOf(n, n);
    const filter = await Filter.build(hashes, { key: "hash", width: 32, fpr: 2 ** -bits });
    const parts = takeApart(filter.toBytes());
    assert.ok(parts.slots.length > 0, "it has no bumped layer");
    checkLast(parts, checkLayers(parts, hashes));
  }
});

await test("w = 64: the same, and systems without a bumped layer", async () => {
  for (const [n, bits] of [
    [48, 7],
    [1000, 3],
    [40000, 6],
  ]) {
    const hashes = hashesOf(n, n);
    const parts = takeApart((await Filter.build(hashes, { key: "hash", width: 64, fpr: 2 ** -bits })).toBytes());
    checkLast(parts, checkLayers(parts, hashes));
  }
});

await test("each filter of the model has all of its keys, and others at its rate", () => {
  for (const kind of ["burr", "homogeneous"])
    for (const [n, width, resultBits, overload] of [
      [1, 12, 7, 0.3],
      [48, 12, 7, 1 / 3],
      [48, 12, 7, -0.1],
      [200, 16, 5, -0.15],
      [200, 32, 8, 0.05],
    ]) {
      const keys = Array.from({ length: n }, (_, i) => `key ${i}`);
      const filter = model.build({ keys, width, resultBits, overload: kind === "burr" ? overload : 0.3, kind });
      for (const key of keys) assert.ok(model.probe(filter, model.hashOf(key)).answer);
      let positives = 0;
      for (let i = 0; i < 4000; i++) positives += model.probe(filter, model.hashOf(`other ${i}`)).answer;
      assert.ok(positives / 4000 < (kind === "burr" ? 3 : 12) * 2 ** -resultBits + 0.005, `${kind} ${n}: ${positives}`);
      const state = model.replay(filter, filter.steps.length);
      filter.layers.forEach((layer, i) => {
        assert.deepStrictEqual(
          state.rows[i].map((row) => row?.row ?? null),
          layer.rows.map((row) => row?.row ?? null),
        );
        assert.deepStrictEqual(state.solution[i], layer.solution);
      });
      const back = model.replay(filter, 3);
      assert.ok(n < 48 || (back.xors === 0 && back.phase === "sort"));
    }
});

await test("a typed key's hash, start and row", async () => {
  assert.strictEqual(model.hashOf("ann"), model.hashOf("ann"));
  assert.notStrictEqual(model.hashOf("ann"), model.hashOf("bob"));
  assert.strictEqual(model.build({ keys: [], width: 12, resultBits: 7, overload: 0.3, kind: "burr" }).layers.length, 0);
  assert.ok(new Key(1n, "hash"));
});

end();
