// files.js - files, where there is a file system: Node.js, and what resembles it

export const hasFiles = typeof globalThis.process?.versions?.node === "string";

// A module of Node.js, of which bundlers for browsers see nothing.
async function nodeModule(name) {
  return globalThis.process.getBuiltinModule?.(name) ?? import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

// All bytes of a path's file, or of that of an address file:...
export async function readFile(path) {
  const [{ readFile }, { fileURLToPath }] = await Promise.all(["node:fs/promises", "node:url"].map(nodeModule));
  return readFile(/^file:/i.test(path) ? fileURLToPath(path) : path);
}
