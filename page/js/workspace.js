// Work kept in this browser: the program of the moment, and earlier versions of it.

const key = "neumann.work";
const mostVersions = 30;

function stored() {
    try {
        const found = JSON.parse(localStorage.getItem(key));
        return Array.isArray(found?.versions) ? found : null;
    } catch {
        return null;
    }
}

// A work is {title, program, files, examples, train, test, query, semantics, gamma, steps, view}.
export class Workspace {
    #kept = stored() ?? {current: null, versions: []};

    get current() {
        return this.#kept.current;
    }

    get versions() {
        return this.#kept.versions;
    }

    keep(work) {
        this.#kept.current = work;
        this.#store();
    }

    forgetCurrent() {
        this.keep(null);
    }

    // The newest first; the same program twice in a row is one version.
    keepVersion(work) {
        const {versions} = this.#kept;
        if (versions[0]?.program === work.program && versions[0]?.title === work.title) versions.shift();
        versions.unshift({...work, time: Date.now()});
        versions.length = Math.min(versions.length, mostVersions);
        this.#store();
    }

    // Older versions make room where the browser's storage is full; without storage all lives as long as the page.
    #store() {
        for (;;) {
            try {
                localStorage.setItem(key, JSON.stringify(this.#kept));
                return;
            } catch {
                if (this.#kept.versions.length === 0) return;
                this.#kept.versions.pop();
            }
        }
    }
}

export function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
