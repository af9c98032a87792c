// The core as the page sees it: requests, one after the other, which can be stopped.

import {NativeCore} from "./native_core.js";
import {WorkerCore} from "./worker_core.js";

export class Stopped extends Error {}

// What the core said is wrong; with the places in the program where that is known.
export class Refused extends Error {
    constructor(answer) {
        super(answer.error);
        this.problems = answer.problems ?? [];
    }
}

// `neumann page` puts a token into the page: then its own engine answers, else the one that comes with the page.
const token = document.querySelector('meta[name="neumann-token"]')?.content;

// Where nothing answers to the token, the page goes on by itself.
let native = token !== undefined;

export const isNative = () => native;

export class Engine {
    #core = native ? new NativeCore(token, (data) => this.#hear(data)) : new WorkerCore((data) => this.#hear(data));
    #running = null;
    #waiting = [];
    #ready = false;
    onchange = () => {};

    constructor() {
        this.#core.start();
    }

    get busy() {
        return this.#running !== null;
    }

    // Of several requests on a channel only the last one that waits is made; the others are stopped.
    ask(request, {channel = request.do, news = () => {}} = {}) {
        return new Promise((resolve, reject) => {
            this.#waiting = this.#waiting.filter((job) => {
                if (job.channel === channel) job.reject(new Stopped());
                return job.channel !== channel;
            });
            this.#waiting.push({request, channel, news, resolve, reject});
            this.#next();
        });
    }

    // Ends what runs; what waits comes next.
    end() {
        this.#running?.reject(new Stopped());
        this.#running = null;
        this.#restart();
        this.onchange();
    }

    // Ends what runs and forgets what waits.
    stop() {
        for (const job of [this.#running, ...this.#waiting]) job?.reject(new Stopped());
        this.#running = null;
        this.#waiting = [];
        this.#restart();
        this.onchange();
    }

    // What was asked of a server that has no engine is asked again of the one that comes with the page.
    #fallBack() {
        native = false;
        this.#waiting.unshift(this.#running);
        this.#running = null;
        this.#ready = false;
        this.#core = new WorkerCore((data) => this.#hear(data));
        this.#core.start();
        this.onchange();
    }

    #restart() {
        this.#ready = false;
        this.#core.stop();
        this.#core.start();
    }

    // {ready}, {news}, {answer}, {broken}, {missing} or {failed}.
    #hear(data) {
        if (data.ready) {
            this.#ready = true;
            this.#next();
            return;
        }
        if (data.failed) {
            for (const job of this.#waiting) job.reject(new Refused({error: data.failed}));
            this.#waiting = [];
            return;
        }
        const job = this.#running;
        if (!job) return;
        if (data.news) {
            job.news(data.news);
            return;
        }
        if (data.missing) {
            this.#fallBack();
            return;
        }
        this.#running = null;
        if (data.broken) {
            job.reject(new Refused({error: data.broken}));
            this.#restart();
        } else if (data.answer.error) {
            job.reject(new Refused(data.answer));
        } else {
            job.resolve(data.answer);
        }
        this.onchange();
        this.#next();
    }

    #next() {
        if (!this.#ready || this.#running || this.#waiting.length === 0) return;
        this.#running = this.#waiting.shift();
        this.#core.send(this.#running.request);
        this.onchange();
    }
}
