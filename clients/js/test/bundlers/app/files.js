// files.js - an entry that imports the modules as files

import { setModules } from "ribbonfilter";
import build from "ribbonfilter/ribbon-build.wasm";
import probe from "ribbonfilter/ribbon.wasm";
import { show } from "./check.js";

setModules({ probe, build });
show();
