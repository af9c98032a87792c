// The colours of the language for CodeMirror, from the tokens that all editors share: a style is the kind of a token.

const anchored = (pattern) => new RegExp(pattern, "y");

// How many characters match here, or -1.
function length(pattern, stream) {
    pattern.lastIndex = stream.pos;
    const found = pattern.exec(stream.string);
    return found ? found[0].length : -1;
}

export function languageMode(tokens) {
    const known = tokens.map(({kind, pattern, begin, end}) => ({kind, begin: anchored(begin ?? pattern), end: end && new RegExp(end, "g")}));
    return {
        startState: () => ({within: null}),  // the token that goes on from the line before
        copyState: (state) => ({...state}),
        token(stream, state) {
            if (!state.within && stream.eatSpace()) return null;
            if (!state.within) {
                const found = known.find(({begin}) => length(begin, stream) > 0);
                if (!found) {
                    stream.next();
                    return null;
                }
                stream.pos += length(found.begin, stream);
                if (!found.end) return found.kind;
                state.within = found;
            }
            const {kind, end} = state.within;
            end.lastIndex = stream.pos;
            if (end.exec(stream.string)) {
                stream.pos = end.lastIndex;
                state.within = null;
            } else {
                stream.skipToEnd();
            }
            return kind;
        },
        lineComment: "%",
        blockCommentStart: "/*",
        blockCommentEnd: "*/",
    };
}
