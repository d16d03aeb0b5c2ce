// range_server.mjs - a small web server that knows range requests, and counts the bytes of its sockets
//
// usage: node range_server.mjs [FOLDER [PORT]]
//
// Serves a folder's files to this machine, and to pages of any origin, until it is ended: the current folder at port
// 8080, unless they are named.
//
// As a module, what it serves are resources, which a function gives for a path: { size, read(at, length), type }, or
// redirects: { status, location }.
// Faults make it a worse server than it is, for tests.

import http from "node:http";
import { open } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  wasm: "application/wasm",
  svg: "image/svg+xml",
};

export const bytesResource = (bytes, type) => ({
  size: bytes.length,
  type,
  read: async (at, length) => bytes.subarray(at, at + length),
});

// What a page of another origin needs to be let in.
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Expose-Headers": "Content-Range, Content-Length, ETag",
};

// A file, or null if it is none.
export async function fileResource(path) {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const stat = await file.stat();
  if (!stat.isFile()) {
    await file.close();
    return null;
  }
  return {
    size: stat.size,
    tag: `"${stat.size}-${Math.floor(stat.mtimeMs)}"`,
    type: TYPES[path.replace(/.*\./, "")],
    read: async (at, length) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer,
    close: () => file.close(),
  };
}

export class RangeServer {
  requests = 0;
  faults = {}; // ignoreRanges, hide, status, tag, encoding, cut, hang, wrongPlace, endsAt (a connection's request)
  #sockets = new Set();
  #closedBytes = 0;

  // find gives a path's resource; headers are sent with each of them.
  constructor(find, headers = {}) {
    this.headers = headers;
    this.server = http.createServer((request, response) => {
      this.#answer(find, request, response).catch(() => response.destroy());
    });
    this.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        this.#closedBytes += socket.bytesRead + socket.bytesWritten;
      });
    });
  }

  // Listen on a free port, or this one, of this machine alone; its address.
  async listen(port = 0, host = "127.0.0.1") {
    await new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, host, resolve);
    });
    return `http://${host}:${this.server.address().port}/`;
  }

  // Bytes that went over the wire, both ways, with all of HTTP.
  get bytes() {
    let sum = this.#closedBytes;
    for (const socket of this.#sockets) sum += socket.bytesRead + socket.bytesWritten;
    return sum;
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(find, request, response) {
    const { faults } = this;
    this.requests++;
    if (faults.hang) return;
    request.socket.asked = (request.socket.asked ?? 0) + 1;
    if (request.socket.asked >= faults.endsAt) {
      request.socket.destroy();
      return;
    }
    if (request.method === "OPTIONS") {
      response.writeHead(204, this.headers).end();
      return;
    }
    const resource = await find(decodeURIComponent(new URL(request.url, "http://localhost").pathname), request);
    if (!resource || faults.status) {
      response.writeHead(faults.status ?? 404, { ...this.headers, "Content-Type": "text/plain" }).end("not found\n");
      return;
    }
    if (resource.location) {
      response.writeHead(resource.status, { Location: resource.location }).end();
      return;
    }
    try {
      await this.#send(resource, request, response);
    } finally {
      await resource.close?.();
    }
  }

  async #send({ size, type, tag, read }, request, response) {
    const { faults } = this;
    const headers = {
      ...this.headers,
      "Accept-Ranges": "bytes",
      "Content-Type": type ?? "application/octet-stream",
      "Cache-Control": "no-cache",
    };
    if (faults.tag ?? tag) headers.ETag = faults.tag ?? tag;
    if (faults.encoding) headers["Content-Encoding"] = faults.encoding;
    const range = faults.ignoreRanges ? null : /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    let first = 0;
    let end = size;
    let status = 200;
    if (range) {
      first = +range[1];
      end = range[2] === "" ? size : Math.min(size, +range[2] + 1);
      status = 206;
      if (first >= size || end <= first) {
        response.writeHead(416, { ...this.headers, "Content-Range": `bytes */${size}` }).end();
        return;
      }
      if (!faults.hide) headers["Content-Range"] = `bytes ${first + (faults.wrongPlace ?? 0)}-${end - 1}/${size}`;
    }
    headers["Content-Length"] = end - first - (faults.cut ?? 0);
    response.writeHead(status, headers);
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const step = 1 << 20;
    for (let at = first; at < end - (faults.cut ?? 0); at += step) {
      if (response.destroyed) return;
      const part = await read(at, Math.min(step, end - (faults.cut ?? 0) - at));
      if (!response.write(part))
        await new Promise((resolve) => {
          response.once("drain", resolve);
          response.once("close", resolve);
        });
    }
    response.end();
  }
}

// The files of a folder, and of none beside it.
export function folderServer(folder) {
  const root = resolve(folder);
  return new RangeServer((path) => {
    const file = resolve(root, `.${path}`);
    return file.startsWith(root + sep) && !file.includes("\0") ? fileResource(file) : null;
  }, CORS);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = ".", port = "8080"] = process.argv.slice(2);
  try {
    const address = await folderServer(folder).listen(Number(port));
    console.log(`${resolve(folder)} is at ${address} (Ctrl-C ends this)`);
  } catch (error) {
    console.error(`range_server: ${error.message}`);
    process.exitCode = 1;
  }
}
