// worker.js - an entry whose answer is that of a worker: the bundler finds it by its address

const worker = new Worker(new URL("./inner.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => (globalThis.result = data);
worker.onerror = (event) => (globalThis.result = `worker: ${event.message}`);
