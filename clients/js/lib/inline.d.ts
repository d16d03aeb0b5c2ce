// The two WebAssembly modules as bytes, for setModules.

export const probe: () => Uint8Array;
export const build: () => Uint8Array;
