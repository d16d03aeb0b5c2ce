// index.js - ribbon filters and maps, in browsers and Node.js: docs/javascript.md
//
//   filter.js   Filter and RibbonMap; chain.js: exact sets that correct each other; stats.js: what they say
//   remote.js   those that stay on a server; pages.js: the bytes of theirs that are here
//   lookup.js   how all of these find keys: local.js: in memory; sliced.js: on a server
//   build.js    filters from keys; records.js: maps and exact sets; options.js, kinds.js: how; hashes.js: what of
//   engine.js   the module that opens and asks; builder.js: that which builds; modules.js: both; memory.js: theirs
//   keys.js     one key; lists.js: many; write.js: in memory; forms.js, times.js: as bytes; classes.js: their classes
//   values.js   values of maps; dictionary.js: texts
//   source.js   bytes from a URL, a file (files.js), and so on
//   errors.js   what goes wrong; brands.js: what a value is

export { RibbonError } from "./errors.js";
export { KEY_CLASSES } from "./classes.js";
export { Key } from "./keys.js";
export { Filter, RibbonMap } from "./filter.js";
export { RemoteFilter, RemoteMap } from "./remote.js";
export { Chain } from "./chain.js";
export { expectedBytes } from "./build.js";
export { setModules } from "./modules.js";
