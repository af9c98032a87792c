#include "draw/terminal_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "draw/svg_text.h"

namespace neumann {

std::size_t columns_of(std::string_view text) { return static_cast<std::size_t>(text_width(text, 1, 1, 2)); }

std::string one_line(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\t') {
            out += c == '\n' ? "\\n" : "\\t";
        } else if ((c >= 0 && c < ' ') || c == 0x7F) {
            out += "\uFFFD";
        } else {
            out += c;
        }
    }
    return out;
}

std::string cut_to(const std::string& text, std::size_t columns) {
    if (columns_of(text) <= columns) return text;
    std::size_t end = text.size();
    while (end > 0 && (columns_of(text.substr(0, end)) + 1 > columns || continues_character(text[end]))) --end;
    return text.substr(0, end) + "…";
}

std::string wrapped(std::string_view text, std::size_t width, const std::string& first, const std::string& next) {
    std::string out;
    std::string line = first;
    bool empty = true;  // only the first prefix so far
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word(text.substr(begin, end - begin));
        begin = end + 1;
        if (!empty && columns_of(line) + 1 + columns_of(word) > width) {
            out += line + '\n';
            line = next;
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
    }
    return out + line + '\n';
}

}  // namespace neumann
