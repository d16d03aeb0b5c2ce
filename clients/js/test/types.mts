// types.mts - what test_package.mjs compiles, with the library "dom": it is never run

import {
  Chain,
  Filter,
  Key,
  RemoteFilter,
  RemoteMap,
  RibbonError,
  RibbonMap,
  type Value,
  expectedBytes,
  setModules,
} from "../lib/index.js";
import * as inline from "../lib/inline.js";
// @ts-expect-error a class that is not exported has no value
import { Opened } from "../lib/index.js";

export async function uses(bytes: Uint8Array, shared: SharedArrayBuffer): Promise<void> {
  const filter: Filter = await Filter.build(["a", "b"], { fpr: 0.01, kind: "burr", width: 64, key: "text" });
  const answer: boolean = filter.has("a") || filter.has(42n) || filter.has(bytes) || filter.has(new Key(1, "oid"));
  const many: Uint8Array = filter.hasMany(["a", 1, new Date()]);
  const remote: RemoteFilter = await Filter.openRemote("https://example.org/f", { page: 512, timeout: 1000 });
  const later: boolean = await remote.has("a");
  const map = await RibbonMap.build(new Map([["a", 1]]), { value: "integer", seed: 3 });
  const value: string | number | bigint | boolean | null | undefined = map.get("a");
  const texts: RibbonMap<string> = await RibbonMap.open<string>(bytes);
  const text: string | undefined = texts.get("a");
  const size: number = await expectedBytes(1e6, { fpr: 0.01 });
  setModules({ probe: bytes, build: () => new URL("https://example.org/b.wasm") });
  setModules({ probe: new WebAssembly.Module(filter.toBytes()), build: () => fetch("b.wasm") });
  setModules(inline);
  new Blob([filter.toBytes(), filter.bytes, many.buffer as ArrayBuffer, filter.hasMany(["a"])]);
  await fetch("/", { method: "POST", body: filter.toBytes() });
  await Filter.open(new Blob([]), { signal: new AbortController().signal, headers: new Headers(), fetch });
  await Filter.open(await fetch("/"), { headers: { a: "b" } });
  await Filter.open(new URL("https://example.org/f"), { headers: [["a", "b"]] });
  await Filter.open(structuredClone(filter));
  await Filter.open(shared, { timeout: undefined, signal: undefined, headers: undefined, fetch: undefined });
  await Filter.build([shared, { days: 1, months: undefined }], { fpr: undefined, kind: undefined, key: undefined });
  await Filter.buildExact([shared], [], { fpr: undefined, width: undefined, asOf: undefined });
  await RibbonMap.build([[1, 2]], { value: undefined, code: undefined, seed: undefined });
  const hash: bigint = await new Key("a", "text").hash();
  const shard: number = await new Key("a", "text").shard(16);
  filter.hasMany([new Key(true, "boolean"), Key.canonical(bytes, "array"), Key.canonical(1n, "hash")]);
  const line: string = `${filter.toJSON()} ${remote.toJSON()} ${remote.url} ${hash} ${shard}`;
  try {
    await filter.check();
  } catch (error) {
    if (error instanceof RibbonError && error.code === "DAMAGED")
      console.log(error.hint, answer, many, later, value, text, size, line);
  }
  // @ts-expect-error there is no such kind
  await Filter.build([1], { kind: "bloom" });
  // @ts-expect-error a symbol is no key
  filter.has(Symbol());
  // @ts-expect-error it is made with open or build
  new Filter();
  // @ts-expect-error there is no such class
  new Key(1, "int");
}

// A chain answers by promises where a part does.
export async function chains(set: Filter, remote: RemoteFilter): Promise<void> {
  const here: Chain<Filter> = new Chain([set, await new Chain([set]).delta([1], [2, null], { fpr: 0.1 })]);
  const there = new Chain([set, remote]);
  const answers: (boolean | null)[] = [here.has(1), here.member(1, new Date()), await there.has(1)];
  answers.push(set.member(1, "infinity"), await remote.member(1, new Date()));
  const many: Uint8Array[] = [here.hasMany([1]), await there.hasMany([1])];
  const later: Promise<boolean> = new Chain([remote]).has(1);
  const time: string | null = there.asOf;
  console.log(answers, many, await later, time, here.fpr + there.parts.length);
  // @ts-expect-error one of the parts may be remote
  const wrong: boolean = there.has(1);
  // @ts-expect-error a text is no part
  new Chain(["a"]);
  console.log(wrong);
}

type Plan = "free" | "pro";

// What is read from a map is of the type of what it was built from.
export async function values(
  plans: [string, Plan][],
  dates: Map<number, Date>,
  mixed: [string, Value][],
  rows: { id: number; plan: string }[],
): Promise<void> {
  const gold: RibbonMap<string> = await RibbonMap.build(new Map([["a", "gold"]]));
  const literal: RibbonMap<string> = await RibbonMap.build([["a", "gold"]]);
  const ofRow: string | undefined = (await RibbonMap.build(rows.map((row) => [row.id, row.plan]))).get(1);
  const plan: Plan | undefined = (await RibbonMap.build(plans)).get("a");
  const number: number | undefined = (await RibbonMap.build([["a", 1]])).get("a");
  const nullable: number | null | undefined = (await RibbonMap.build(new Map([["a", 1 as number | null]]))).get("a");
  const large: bigint | undefined = (await RibbonMap.build([["a", 2 ** 40]], { value: "bigint" })).get("a");
  const small: number | undefined = (await RibbonMap.build([["a", 1n]], { value: "integer", seed: 1 })).get("a");
  const time: string | undefined = (await RibbonMap.build(dates)).get(1);
  const day: string | undefined = (await RibbonMap.build([["a", "2026-01-31"]], { value: "date" })).get("a");
  const flag: boolean | undefined = (await RibbonMap.build([["a", true]])).get("a");
  const any: Value | undefined = (await RibbonMap.build(mixed)).get("a");
  const remote: RemoteMap<string> = await RemoteMap.open<string>("https://example.org/m");
  const other: RemoteMap<bigint> = await RibbonMap.openRemote<bigint>("https://example.org/m");
  const type: string = other.valueType;
  other.close();
  console.log(gold, literal, plan, number, nullable, large, small, time, day, flag, any, remote, type, ofRow);
  // @ts-expect-error numbers are not read as bigints, unless that is said
  const wrong: bigint | undefined = (await RibbonMap.build([["a", 2 ** 40]])).get("a");
  // @ts-expect-error a symbol is no value
  await RibbonMap.build([["a", Symbol()]]);
  // @ts-expect-error there is no such type of values
  await RibbonMap.build([["a", 1]], { value: "money" });
  console.log(wrong);
}
