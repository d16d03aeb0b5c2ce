// kinds.js - kinds of filters and of codes, by name, with the core's numbers

export const KINDS = Object.freeze({ burr: 0, homogeneous: 1, auto: 2, exact: 3 }); // RibbonKind
export const CODINGS = Object.freeze({ plain: 0, entropy: 1, auto: 2 }); // RibbonCoding

export const nameOf = (names, number) => Object.keys(names)[number];
