#include "draw/atom_label.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.h"

namespace neumann {
namespace {

constexpr std::size_t longest_label = 30;  // in characters

// Where the argument that begins at `start` is closed; npos if another one follows it.
std::size_t end_of_argument(std::string_view terms, std::size_t start) {
    std::size_t depth = 0;
    for (std::size_t i = start; i < terms.size(); ++i) {
        if (terms[i] == ',' && depth == 0) break;
        if (terms[i] == ')' && depth-- == 0) return i;
        if (terms[i] == '(') ++depth;
    }
    return std::string_view::npos;
}

std::string superscript(std::size_t number) {
    static constexpr std::array digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out;
    for (const char digit : fmt::format("{}", number)) out += digits.at(static_cast<std::size_t>(digit - '0'));
    return out;
}

// s(s(s(0))) as the paper writes it: s³(0).
std::string with_powers(std::string_view terms) {
    std::string out;
    while (!terms.empty()) {
        const std::size_t length = std::min(terms.find_first_of("(), "), terms.size());
        const std::string opening = std::string(terms.substr(0, length)) + '(';
        std::size_t power = 0;
        while (length > 0 && terms.substr(power * opening.size()).starts_with(opening)) ++power;
        const std::size_t inside = power * opening.size();
        const std::size_t end = power < 2 ? std::string_view::npos : end_of_argument(terms, inside);
        std::size_t done = std::max<std::size_t>(length, 1);
        if (end != std::string_view::npos && terms.substr(end).starts_with(std::string(power, ')'))) {
            out += opening.substr(0, length) + superscript(power);
            out += '(' + with_powers(terms.substr(inside, end - inside)) + ')';
            done = end + power;
        } else {
            out += terms.substr(0, done);
        }
        terms.remove_prefix(done);
    }
    return out;
}

}  // namespace

std::string without_middle(const std::string& text, std::size_t longest) {
    std::vector<std::size_t> starts;  // of the characters
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!continues_character(text[i])) starts.push_back(i);
    }
    if (starts.size() <= longest) return text;
    const std::size_t tail = (longest - 1) / 2;
    return text.substr(0, starts[longest - 1 - tail]) + "…" + text.substr(starts[starts.size() - tail]);
}

std::string label_of(const std::string& name) {
    const std::size_t arguments = name.find('(');
    const bool plain = name.size() <= 1000 && name.find_first_of("'\"") == std::string::npos;
    if (arguments == std::string::npos || !plain) return without_middle(name, longest_label);
    return without_middle(name.substr(0, arguments) + with_powers(std::string_view(name).substr(arguments)),
                          longest_label);
}

}  // namespace neumann
