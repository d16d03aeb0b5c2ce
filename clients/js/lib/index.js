// index.js - ribbon filters and maps, in browsers and Node.js: docs/javascript.md

export { RibbonError } from "./errors.js";
export { KEY_CLASSES } from "./classes.js";
export { Key } from "./keys.js";
export { Filter, RibbonMap } from "./filter.js";
export { RemoteFilter, RemoteMap } from "./remote.js";
export { Chain } from "./chain.js";
export { expectedBytes } from "./build.js";
export { setModules } from "./modules.js";
