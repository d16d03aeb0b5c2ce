// types.mts - what test_package.mjs compiles: it is never run

import { Filter, Key, RibbonError, RibbonMap, RemoteFilter, expectedBytes, setModules } from "../lib/index.js";

export async function uses(bytes: Uint8Array): Promise<void> {
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
  try {
    await filter.check();
  } catch (error) {
    if (error instanceof RibbonError && error.code === "DAMAGED")
      console.log(error.hint, answer, many, later, value, text, size);
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
