// A WebAssembly module, as a bundler or a runtime gives it: a WebAssembly.Module, bytes, or an address.

declare const wasm: any;
export default wasm;
