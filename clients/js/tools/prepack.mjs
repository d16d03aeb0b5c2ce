// prepack.mjs - what npm pack calls first: make the modules, and put the licence beside them
//
// It fails, and so does npm, if they cannot be made: a package without them would be of no use.

import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../../", import.meta.url));
const { status } = spawnSync("make", ["-s", "js-modules"], { cwd: top, stdio: ["ignore", 2, 2] });
if (status !== 0) {
  console.error("ribbonfilter: the WebAssembly modules cannot be made; make js installs what that takes");
  process.exit(1);
}
copyFileSync(`${top}LICENSE`, fileURLToPath(new URL("../LICENSE", import.meta.url)));
