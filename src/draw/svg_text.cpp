#include "draw/svg_text.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace neumann {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
            out += fmt::format("&#{};", static_cast<int>(c));
        } else if ((c >= 0 && c < ' ') || c == 0x7F) {
            out += c == '\t' || c == '\n' || c == '\r' ? " " : "\uFFFD";
        } else {
            out += c;
        }
    }
    return out;
}

double text_width(std::string_view text, double size, double narrow, double square) {
    double ems = 0;
    for (const char c : text) {
        // Characters that begin with 0xE3 or more are East Asian.
        if (!continues_character(c)) ems += static_cast<unsigned char>(c) >= 0xE3 ? square : narrow;
    }
    return ems * size;
}

}  // namespace neumann
