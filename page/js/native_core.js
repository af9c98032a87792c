// The core behind `neumann page`: a request is posted, the answer comes as lines of JSON, and hanging up stops it. Other
// servers do not know such requests.

export class NativeCore {
    #token;
    #hear;
    #request = null;

    constructor(token, hear) {
        this.#token = token;
        this.#hear = hear;
    }

    start() {
        queueMicrotask(() => this.#hear({ready: true}));
    }

    async send(request) {
        const control = new AbortController();
        this.#request = control;
        try {
            const got = await fetch("answer", {method: "POST", signal: control.signal, body: JSON.stringify(request),
                headers: {"Content-Type": "application/json", "X-Neumann-Token": this.#token}});
            if ([404, 405, 501].includes(got.status)) {
                this.#hear({missing: true});
                return;
            }
            if (!got.ok) throw new Error(await got.text());
            await this.#read(got.body.pipeThrough(new TextDecoderStream()).getReader());
        } catch (error) {
            if (!control.signal.aborted) this.#hear({broken: `“neumann page” did not answer: ${error.message}. If it has ended, start it again and open the address that it prints`});
        }
    }

    stop() {
        this.#request?.abort();
    }

    async #read(reader) {
        let text = "";
        let answer = {broken: "The server ended before it had an answer"};
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            text += part.value;
            const lines = text.split("\n");
            text = lines.pop();
            for (const line of lines) {
                const data = JSON.parse(line);
                if (data.news) this.#hear(data);
                else answer = data;
            }
        }
        this.#hear(answer);
    }
}
