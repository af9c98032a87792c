#include "syntax/say_directive.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"
#include "logic/saying.h"

namespace neumann::syntax {
namespace {

// Whether every place in the text is a variable of the atom.
bool good_places(DirectiveReader& directive, const Node& text, const std::vector<ClauseVariable>& variables) {
    const SayingText parts = split_saying(text.text);
    // With an escape inside, places in the text are not those in the file.
    const bool as_written = text.span.end - text.span.begin == text.text.size() + 2;
    const auto span_of = [&](std::size_t begin, std::size_t end) {
        if (!as_written) return text.span;
        const auto at = [&](std::size_t i) { return text.span.begin + 1 + static_cast<std::uint32_t>(i); };
        return Span{text.span.file, at(begin), at(end)};
    };
    if (parts.stray_brace) {
        const char brace = text.text[*parts.stray_brace];
        directive.diagnostics().report(
            codes::unclosed, span_of(*parts.stray_brace, *parts.stray_brace + 1),
            brace == '{' ? "this '{' is never closed" : "this '}' closes nothing",
            fmt::format("a place is written like {{X}}; for the character itself write {0}{0}", brace));
        return false;
    }
    std::vector<std::string> names;
    for (const ClauseVariable& variable : variables) {
        if (variable.name != "_") names.push_back(variable.name);
    }
    bool good = true;
    for (const SayingPart& part : parts.parts) {
        if (!part.place || std::ranges::find(names, part.text) != names.end()) continue;
        good = false;
        const Span span = span_of(part.begin, part.end);
        if (part.text == "_") {
            directive.bad(span, "'_' has no value that could stand here", "give the variable a name");
            continue;
        }
        directive.bad(span,
                      part.text.empty() ? "a place without a variable"
                                        : fmt::format("'{}' is not a variable of the atom", part.text),
                      names.empty()
                          ? "the atom has no variables with a name; for the character { write {{"
                          : did_you_mean(part.text, names, fmt::format("the atom has {}", fmt::join(names, ", "))));
    }
    return good;
}

}  // namespace

void declare_saying(DirectiveReader& directive) {
    const Node& pattern = directive.arg(0);
    const Node& text = directive.arg(1);
    Scope scope;
    std::optional<Atom> atom;
    if (pattern.kind == NodeKind::Name) {
        atom = directive.atom(0, scope);
    } else {
        directive.bad(pattern.span, "expected an atom",
                      "its variables may stand in the text: say(wet(X), '{X} is wet')");
    }
    if (text.kind != NodeKind::Name || !text.quoted || text.child_count != 0)
        return directive.bad(text.span, "expected a text in single quotes", "write it like '{X} is older than {Y}'");
    if (!atom || scope.mistakes || !good_places(directive, text, scope.variables)) return;
    directive.program().sayings.push_back(
        {std::move(*atom), std::move(scope.variables), std::string(text.text), directive.span()});
}

}  // namespace neumann::syntax
