// types_bare.mts - what test_package.mjs compiles without the library "dom" and without Node.js's types

import { Filter, RemoteFilter, RibbonMap, setModules } from "../lib/index.js";

export async function uses(bytes: Uint8Array, module: object): Promise<boolean> {
  setModules({ probe: module, build: () => bytes });
  const filter = await Filter.open(bytes, { timeout: 5, headers: { a: "b" } });
  const map = await RibbonMap.build(new Map([["a", 1n]]));
  const remote: RemoteFilter = await Filter.openRemote("https://example.org/f", { fetch: async () => module });
  return filter.has(bytes) && map.get("a") === 1n && (await remote.has("a"));
}
