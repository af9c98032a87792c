// The core in a worker: WebAssembly, compiled once for all workers, so that a new one is there at once.

let compiled = null;

function compile() {
    compiled ??= WebAssembly.compileStreaming(fetch("neumann.wasm"));
    return compiled;
}

export class WorkerCore {
    #worker = null;
    #hear;

    constructor(hear) {
        this.#hear = hear;
    }

    start() {
        const worker = new Worker(new URL("worker.js", import.meta.url));
        this.#worker = worker;
        worker.onmessage = ({data}) => this.#hear(data);
        worker.onerror = (event) => this.#hear({broken: event.message});
        compile().then((module) => worker.postMessage({module}));
    }

    send(request) {
        this.#worker.postMessage({request});
    }

    stop() {
        this.#worker.terminate();
    }
}
