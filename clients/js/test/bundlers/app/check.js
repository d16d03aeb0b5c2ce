// check.js - all that there is to do with the package, in a line

import { Filter, Key, RibbonMap } from "ribbonfilter";

export const EXPECTED = "true,false,true,true,true,false,gold,0,Filter";

export async function check() {
  const filter = await Filter.build(["a", "b"]);
  const exact = await Filter.buildExact([1], [2]);
  const map = await RibbonMap.build([["a", "gold"]]);
  return [
    filter.has("a"),
    filter.has("zz"),
    await filter.check(),
    (await filter.shrink(0.3)).has("b"),
    exact.has(1),
    exact.has(2),
    map.get("a"),
    await new Key("a", "text").shard(1),
    String(filter).split(" ")[0],
  ].join();
}

// What check says, or what went wrong.
export const report = () =>
  check().catch((error) => `${error.name} ${error.code}: ${error.message}\n${error.hint}\n${error.stack}`);

// The same, for who looks: a browser by a global, a shell by what is printed.
export async function show() {
  globalThis.result = await report();
  console.log(globalThis.result);
}
