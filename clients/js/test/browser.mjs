// browser.mjs - Chromium without a window, for tests, by the DevTools protocol over pipes
//
// It is a process group of its own, which is killed after 90 seconds, or when the test ends.  What it
// prints goes to a file.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT = 90000; // ms, for all of it
const ANSWER = 20000; // for one command
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--remote-debugging-pipe",
];

// The program, or null if there is none.
export function findBrowser() {
  for (const name of ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])
    if (spawnSync(name, ["--version"], { timeout: 30000, stdio: "ignore" }).status === 0) return name;
  return null;
}

export class Browser {
  #child;
  #folder = mkdtempSync(join(tmpdir(), "ribbon-chromium-"));
  #next = 1;
  #waiting = new Map();
  #buffer = "";
  #session;
  #ended = null;
  errors = []; // exceptions, and what pages write to the console as errors

  constructor(program) {
    const log = openSync(join(this.#folder, "log"), "w");
    const args = [...FLAGS, `--user-data-dir=${join(this.#folder, "profile")}`];
    this.#child = spawn(program, args, { detached: true, stdio: ["ignore", log, log, "pipe", "pipe"] });
    this.#child.on("error", (error) => this.#end(error));
    this.#child.on("exit", () => this.#end(new Error(`the browser has ended:\n${this.log()}`)));
    this.#child.stdio[4].on("data", (data) => this.#read(data));
    for (const pipe of [3, 4]) this.#child.stdio[pipe].on("error", () => {});
    this.timer = setTimeout(() => this.kill(), LIMIT);
  }

  log() {
    return readFileSync(join(this.#folder, "log"), "utf8").slice(-2000);
  }

  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  kill() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // it has ended
    }
  }

  async close() {
    clearTimeout(this.timer);
    const gone =
      this.#child.exitCode === null && this.#child.signalCode === null
        ? new Promise((resolve) => this.#child.once("exit", resolve))
        : null;
    this.kill();
    if (gone) await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5000))]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #read(data) {
    this.#buffer += data;
    for (let end; (end = this.#buffer.indexOf("\0")) >= 0; this.#buffer = this.#buffer.slice(end + 1))
      this.#receive(JSON.parse(this.#buffer.slice(0, end)));
  }

  #receive({ id, result, error, method, params }) {
    if (id !== undefined) {
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    } else if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      this.errors.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
    }
  }

  send(method, params = {}, session = this.#session) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`no answer to ${method} in ${ANSWER} ms`));
      }, ANSWER);
      const settle = (done) => (value) => {
        clearTimeout(timer);
        done(value);
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
    });
  }

  async open() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    this.#session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await this.send("Page.enable");
    await this.send("Runtime.enable");
  }

  // Go to a page, and wait until a condition holds there.
  async goto(url, condition) {
    await this.send("Page.navigate", { url });
    await this.until(condition);
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(condition, limit = 15000) {
    const end = Date.now() + limit;
    for (;;) {
      const value = await this.evaluate(condition).catch(() => false);
      if (value) return value;
      if (Date.now() > end) throw new Error(`after ${limit} ms not: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async press(key) {
    const text = key === " " ? " " : key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  async screenshot(whole = true) {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: whole });
    return Buffer.from(data, "base64");
  }
}
