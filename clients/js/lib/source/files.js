// files.js - files, where there is a file system: Node.js, and what resembles it

export const hasFiles = typeof globalThis.process?.versions?.node === "string";

// A module of Node.js, of which bundlers for browsers see nothing.
async function nodeModule(name) {
  return globalThis.process.getBuiltinModule?.(name) ?? import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

const FIRST_LOOK = 1 << 16; // bytes
const MOST_AT_ONCE = 2 ** 31; // bytes; more Node.js does not read

// All bytes of a path's file, or of that of an address file:...  A pipe or device may have no end: so look is called
// now and then with the bytes so far, and throws, once there is no need to read on.
export async function readFile(path, look = () => {}) {
  const [{ readFile, stat }, { createReadStream }, { fileURLToPath }] = await Promise.all(
    ["node:fs/promises", "node:fs", "node:url"].map(nodeModule),
  );
  const file = /^file:/i.test(path) ? fileURLToPath(path) : path;
  const found = await stat(file);
  if (found.isFile() && found.size < MOST_AT_ONCE) return readFile(file);
  const parts = [];
  let size = 0;
  let next = FIRST_LOOK;
  for await (const part of createReadStream(file)) {
    parts.push(part);
    size += part.length;
    if (size < next) continue;
    await look(joined(parts, size));
    next = 2 * size;
  }
  return joined(parts, size);
}

// Parts of bytes, so many together, as one.
export function joined(parts, size) {
  const bytes = new Uint8Array(size);
  for (let i = 0, at = 0; i < parts.length; at += parts[i++].length) bytes.set(parts[i], at);
  return bytes;
}
