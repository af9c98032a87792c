#include "learn/readers/popper_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace neumann::search {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Calls `visit` for each character outside quotes and comments, and `quoted` for quoted text; comments are left out.
template <class Visit, class Quoted>
void scan(std::string_view text, Visit&& visit, Quoted&& quoted) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
        } else if (text.substr(i, 2) == "/*") {
            const std::size_t end = text.find("*/", i + 2);
            i = end == std::string_view::npos ? text.size() : end + 1;
        } else if (text[i] == '\'' || text[i] == '"') {
            const std::size_t end = text.find(text[i], i + 1);
            const std::size_t last = end == std::string_view::npos ? text.size() - 1 : end;
            quoted(text.substr(i, last - i + 1));
            i = last;
        } else {
            i = visit(i);
        }
    }
}

// A full stop; that of X =.. Y is none.
bool ends_statement(std::string_view text, std::size_t i) {
    const bool in_operator = i >= 2 && text.substr(i - 2, 3) == "=..";
    return text[i] == '.' && !in_operator && (i + 1 == text.size() || is_blank(text[i + 1]) || text[i + 1] == '%');
}

}  // namespace

std::vector<StatementPlace> statement_places(std::string_view text) {
    std::vector<StatementPlace> found;
    std::size_t begin = std::string_view::npos;
    scan(
        text,
        [&](std::size_t i) {
            if (begin == std::string_view::npos && !is_blank(text[i])) begin = i;
            if (!ends_statement(text, i)) return i;
            found.push_back({begin, i + 1});
            begin = std::string_view::npos;
            return i;
        },
        [&](std::string_view quoted) {
            if (begin == std::string_view::npos) begin = static_cast<std::size_t>(quoted.data() - text.data());
        });
    if (begin != std::string_view::npos) found.push_back({begin, text.size()});
    return found;
}

std::vector<std::string> statements(std::string_view text) {
    std::vector<std::string> found(1);
    scan(
        text,
        [&](std::size_t i) {
            if (ends_statement(text, i))
                found.emplace_back();
            else if (!is_blank(text[i]) || !found.back().empty())
                found.back() += text[i];
            return i;
        },
        [&](std::string_view quoted) { found.back() += quoted; });
    std::erase_if(found, [](const std::string& one) { return without_blanks(one).empty(); });
    return found;
}

std::string without_blanks(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (!is_blank(c)) plain += c;
    }
    return plain;
}

std::string without_last_commas(std::string_view text) {
    std::string plain(text);
    std::size_t last = std::string::npos;  // that is not blank
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (is_blank(plain[i])) continue;
        if (plain[i] == ')' && last != std::string::npos && plain[last] == ',') plain[last] = ' ';
        last = i;
    }
    return plain;
}

void blank_out(std::string& text, const StatementPlace& place) {
    for (std::size_t i = place.begin; i < place.end; ++i) {
        if (text[i] != '\n') text[i] = ' ';
    }
}

std::string without_directives(std::string_view text) {
    std::string kept(text);
    for (const StatementPlace& place : statement_places(text)) {
        if (text.substr(place.begin).starts_with(":-")) blank_out(kept, place);
    }
    return kept;
}

std::string plain_background(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> constraints = {
        {{"#=<", " =< "}, {"#>=", " >= "}, {"#\\=", " =\\= "}, {"#<", " < "}, {"#>", " > "}, {"#=", " is "}}};
    std::string clauses(text);
    for (const StatementPlace& place : statement_places(text)) {
        const std::string_view statement = text.substr(place.begin, place.end - place.begin);
        if (statement.starts_with(":-") && statement.find("dynamic") == std::string_view::npos)
            blank_out(clauses, place);
    }
    std::string plain;
    for (std::size_t i = 0; i < clauses.size();) {
        const std::string_view rest = std::string_view(clauses).substr(i);
        const auto* found =
            std::ranges::find_if(constraints, [&](const auto& one) { return rest.starts_with(one.first); });
        plain += found == constraints.end() ? rest.substr(0, 1) : found->second;
        i += found == constraints.end() ? 1 : found->first.size();
    }
    return plain;
}

std::string plain_examples(std::string_view text) {
    std::string plain;
    bool line_start = true;
    bool skipped = false;
    for (const char c : text) {
        if (line_start) skipped = c == '#';
        line_start = c == '\n';
        if (!skipped || c == '\n') plain += c;
    }
    return plain;
}

}  // namespace neumann::search
