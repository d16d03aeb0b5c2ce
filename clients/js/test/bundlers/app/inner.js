// inner.js - the worker of worker.js

import { report } from "./check.js";

report().then((text) => postMessage(text));
