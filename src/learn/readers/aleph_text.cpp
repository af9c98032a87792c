#include "learn/readers/aleph_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "learn/readers/popper_text.h"

namespace neumann::search {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return std::string(text);
}

// At commas that are in no brackets and no quotes.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (c == ',' && depth == 0) {
            parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

bool is_directive(std::string_view statement) { return statement.starts_with(":-"); }

// The declarations that the reader of clauses handles.
bool declares_predicates(std::string_view statement) {
    const std::string plain = without_blanks(statement);
    return plain.starts_with(":-dynamic") || plain.starts_with(":-discontiguous");
}

}  // namespace

std::vector<std::string> arguments_of(std::string_view term, std::string& name) {
    const std::size_t open = term.find('(');
    name = trimmed(term.substr(0, open));
    if (open == std::string_view::npos) return {};
    const std::size_t close = term.rfind(')');
    return parts_of(term.substr(open + 1, close == std::string_view::npos || close < open ? 0 : close - open - 1));
}

std::string unquoted(std::string_view name) {
    const std::string text = trimmed(name);
    if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return text;
    std::string plain;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        plain += text[i];
        if (text[i] == '\'' && text[i + 1] == '\'') ++i;  // two stand for one
    }
    return plain;
}

std::vector<AlephDirective> aleph_directives(std::string_view text) {
    std::vector<AlephDirective> found;
    for (const StatementPlace& place : statement_places(text)) {
        std::string_view statement = text.substr(place.begin, place.end - place.begin);
        if (!is_directive(statement) || declares_predicates(statement)) continue;
        const std::vector<std::string> plain = statements(statement);  // without comments
        if (plain.empty()) continue;
        for (const std::string& part : parts_of(std::string_view(plain[0]).substr(2))) {
            AlephDirective& one = found.emplace_back();
            one.arguments = arguments_of(part, one.name);
            one.begin = place.begin;
            one.end = place.end;
        }
    }
    return found;
}

std::string aleph_section(std::string_view text, std::string_view name) {
    std::string result(text);
    bool inside = name.empty();
    for (const StatementPlace& place : statement_places(text)) {
        const std::string_view statement = text.substr(place.begin, place.end - place.begin);
        const std::string plain = without_blanks(statement);
        if (!name.empty() && plain == ":-begin_" + std::string(name) + ".") inside = true;
        if (!name.empty() && plain == ":-end_" + std::string(name) + ".") inside = false;
        const bool clause = !is_directive(statement) || declares_predicates(statement);
        if (!inside || !clause) blank_out(result, place);
    }
    return result;
}

bool has_aleph_section(std::string_view text, std::string_view name) {
    return std::ranges::any_of(statement_places(text), [&](const StatementPlace& place) {
        return without_blanks(text.substr(place.begin, place.end - place.begin)) ==
               ":-begin_" + std::string(name) + ".";
    });
}

}  // namespace neumann::search
