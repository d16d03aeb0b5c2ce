// inline.mjs - the WebAssembly modules as a JavaScript module, for where a program is one file
//
// usage: node inline.mjs OUTPUT PROBE BUILD

import { readFileSync, writeFileSync } from "node:fs";

const [output, ...paths] = process.argv.slice(2);
const [probe, build] = paths.map((path) => readFileSync(path).toString("base64"));

writeFileSync(
  output,
  `// made by tools/inline.mjs: import * as inline from "ribbonfilter/inline", and setModules(inline)

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export const probe = () => bytes("${probe}");
export const build = () => bytes("${build}");
`,
);
