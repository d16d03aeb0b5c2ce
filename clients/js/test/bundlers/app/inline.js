// inline.js - an entry with the modules as text

import { setModules } from "ribbonfilter";
import { build, probe } from "ribbonfilter/inline";
import { show } from "./check.js";

setModules({ probe, build });
show();
