// What a link holds: the program and what is asked of it, packed into the fragment, which is never sent anywhere.

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function pack(value) {
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// What was packed, or null if the text is none.
export async function unpack(text) {
    try {
        const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
        const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
        const value = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
        return typeof value?.program === "string" ? value : null;
    } catch {
        return null;
    }
}
