// test_server.mjs - range_server.mjs as a program: a folder of filters for pages, as docs/javascript.md has it

import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Filter } from "../lib/index.js";
import { end, test } from "./testing.mjs";

const program = fileURLToPath(new URL("../tools/range_server.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ribbon-server-"));
mkdirSync(join(folder, "served"));
const filter = await Filter.build(Array.from({ length: 5000 }, (_, i) => i));
writeFileSync(join(folder, "served/f.ribbon"), filter.toBytes());
writeFileSync(join(folder, "secret.ribbon"), filter.toBytes());

// The program with these arguments: it, and the first line that it prints.
async function start(...args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const line = await new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) stream.once("data", (text) => resolve(String(text)));
    child.once("exit", () => resolve(""));
  });
  return { child, line };
}

const server = await start(join(folder, "served"), "0");
const address = /http:\S+/.exec(server.line)?.[0];

await test("it says where it is, and serves ranges", async () => {
  assert.match(server.line, /served is at http:\/\/127\.0\.0\.1:\d+\/ /);
  const remote = await Filter.openRemote(`${address}f.ribbon`);
  assert.ok((await remote.has(7)) && remote.traffic.requests > 1);
});

await test("pages of other origins are let in", async () => {
  const { headers } = await fetch(`${address}f.ribbon`, { headers: { Range: "bytes=0-9" } });
  assert.strictEqual(headers.get("access-control-allow-origin"), "*");
  assert.match(headers.get("access-control-expose-headers"), /Content-Range/);
  assert.strictEqual((await fetch(`${address}f.ribbon`, { method: "OPTIONS" })).status, 204);
});

await test("nothing beside the folder", async () => {
  const status = (path) =>
    new Promise((resolve, reject) =>
      http
        .get({ host: "127.0.0.1", port: new URL(address).port, path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on("error", reject),
    );
  assert.strictEqual(await status("/f.ribbon"), 200);
  for (const path of [
    "/../secret.ribbon",
    "/%2e%2e/secret.ribbon",
    "/..%2fsecret.ribbon",
    "/",
    "/none",
    "/f.ribbon%00",
  ])
    assert.strictEqual(await status(path), 404, path);
});

await test("a port that is taken is said", async () => {
  const second = await start(folder, new URL(address).port);
  assert.match(second.line, /^range_server: .*EADDRINUSE/);
  second.child.kill();
});

server.child.kill();
rmSync(folder, { recursive: true });
end();
