// cloudflare.js - a worker of Cloudflare, which imports the modules as files

import { setModules } from "ribbonfilter";
import build from "ribbonfilter/ribbon-build.wasm";
import probe from "ribbonfilter/ribbon.wasm";
import { report } from "./check.js";

setModules({ probe, build });

export default {
  async fetch() {
    return new Response(await report());
  },
};
