// index.js - ribbon filters and maps, in browsers and Node.js: docs/javascript.md
//
//   filter.js         Filter and RibbonMap, which are in memory
//   remote/remote.js  RemoteFilter and RemoteMap, which stay on a server
//   chain.js          Chain: exact sets that correct each other
//   described.js      what they have in common: that each says what it is; stats.js: what its headers say
//
//   lookup.js         finds keys: local.js in memory; remote/sliced.js on a server, of which pages.js keeps bytes
//   build/filter.js   builds filters; records.js maps and exact sets; options.js reads their options
//   build/hashes.js   hashes the keys that are built from; build/values.js makes codes of a map's values
//
//   keys.js           one key; lists.js: many keys; classes.js: their classes; kinds.js: kinds of filters
//   forms.js          a key's canonical bytes; times.js: of dates and times; write.js puts them into memory
//   values.js         a map's values of codes; dictionary.js: those that are texts
//
//   modules.js        the two modules of WebAssembly: engine.js runs that which probes, build/builder.js that which
//                     builds
//   memory.js         the memory of either
//   source/source.js  bytes from a URL or a file (files.js)
//   errors.js         what goes wrong; brands.js: what a value is

export { RibbonError } from "./errors.js";
export { KEY_CLASSES } from "./classes.js";
export { Key } from "./keys.js";
export { Filter, RibbonMap } from "./filter.js";
export { RemoteFilter, RemoteMap } from "./remote/remote.js";
export { Chain } from "./chain.js";
export { expectedBytes } from "./build/filter.js";
export { setModules } from "./modules.js";
