#include "interchange/asp_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "logic/arithmetic.h"

namespace neumann::interchange {
namespace {

constexpr std::string_view list_words = "% lists: ";
constexpr std::string_view and_word = "/2 and ";

// Without its quotes, however many there are.
std::string_view core(std::string_view text) {
    while (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return text;
}

// As a string it would be mistaken for a name or a number, or (here) be no name at all.
bool reads_otherwise(std::string_view text) {
    return text.empty() || is_asp_identifier(text) || parse_number(text).has_value();
}

}  // namespace

bool is_asp_identifier(std::string_view name) {
    const std::size_t letter = name.find_first_not_of("_'");
    if (letter == std::string_view::npos || name[letter] < 'a' || name[letter] > 'z' || name == "not") return false;
    return std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'';
    });
}

std::string asp_constant(std::string_view name) {
    if (is_asp_identifier(name)) return std::string(name);
    const std::string_view inside = core(name);
    if (inside.size() < name.size() && reads_otherwise(inside)) name = name.substr(1, name.size() - 2);
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return text + "\"";
}

std::string name_of_asp_string(std::string_view s) {
    return reads_otherwise(core(s)) ? fmt::format("\"{}\"", s) : std::string(s);
}

std::pair<std::string, std::string> find_list_comment(std::string_view text) {
    for (std::size_t begin = text.find(list_words); begin != std::string_view::npos;
         begin = text.find(list_words, begin + 1)) {
        if (begin > 0 && text[begin - 1] != '\n') continue;
        std::string_view line = text.substr(begin + list_words.size());
        line = line.substr(0, std::min(line.find('\n'), line.size()));
        const std::size_t between = line.find(and_word);
        if (between == std::string_view::npos) continue;
        const std::string_view cell = line.substr(0, between);
        const std::string_view empty = line.substr(between + and_word.size());
        if (is_asp_identifier(cell) && is_asp_identifier(empty)) return {std::string(cell), std::string(empty)};
    }
    return {};
}

std::string list_comment(std::string_view cell, std::string_view empty) {
    return fmt::format("{}{}{}{}\n", list_words, cell, and_word, empty);
}

}  // namespace neumann::interchange
