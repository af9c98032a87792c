// The core, apart from the page, so that the page never waits for it. A request at a time; ended by ending the worker.
// neumann.js stands before this text.

let core = null;

async function start(module) {
    core = await createNeumann({
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
            return {};
        },
        tell: (news) => postMessage({news: JSON.parse(news)}),
    });
    core.FS.mkdir("/work");
    core.FS.chdir("/work");
    postMessage({ready: true});
}

function answer(request) {
    const text = JSON.stringify(request);
    const size = core.lengthBytesUTF8(text) + 1;
    const place = core._malloc(size);
    core.stringToUTF8(text, place, size);
    try {
        return JSON.parse(core.UTF8ToString(core._neumann_answer(place)));
    } finally {
        core._free(place);
    }
}

onmessage = ({data}) => {
    if (data.module) {
        start(data.module);
        return;
    }
    try {
        postMessage({answer: answer(data.request)});
    } catch (error) {
        postMessage({broken: `The core stopped: ${error.message ?? error}`});  // too deep, or out of memory
    }
};
