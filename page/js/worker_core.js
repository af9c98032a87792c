// The core in a worker: WebAssembly, compiled once for all workers, and their script, kept: a new one is there at once,
// and needs no network.

const beside = (name) => new URL(name, import.meta.url);

let loaded = null;

async function scriptAddress() {
    const texts = await Promise.all(["../neumann.js", "worker.js"].map(async (name) => (await fetch(beside(name))).text()));
    return URL.createObjectURL(new Blob([texts.join("\n")], {type: "text/javascript"}));
}

function load() {
    loaded ??= Promise.all([scriptAddress(), WebAssembly.compileStreaming(fetch(beside("../neumann.wasm")))]);
    return loaded;
}

export class WorkerCore {
    #worker = null;
    #hear;

    constructor(hear) {
        this.#hear = hear;
    }

    async start() {
        try {
            const [address, module] = await load();
            this.#worker = new Worker(address);
            this.#worker.onmessage = ({data}) => this.#hear(data);
            this.#worker.onerror = (event) => this.#hear({broken: event.message});
            this.#worker.postMessage({module});
        } catch (error) {
            this.#hear({failed: `The core cannot be loaded: ${error.message}`});
        }
    }

    send(request) {
        this.#worker.postMessage({request});
    }

    stop() {
        this.#worker?.terminate();
    }
}
