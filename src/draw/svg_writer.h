// SVG writer: appends an image element by element.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace neumann {

class SvgWriter {
protected:
    template <typename... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }
    // The root element, common to all images except for the names and the style of the text.
    void add_start(double width, double height, std::string_view name, std::string_view style) {
        add("<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}' "
            "role='img'{2}\n font-family='Helvetica, Arial, sans-serif' {3}>\n",
            width, height, name, style);
    }
    // White also on dark pages: the colours of lines, cells and text are made for it.
    void add_ground(double width, double height, std::string_view corners = "") {
        add("<rect width='{:.0f}' height='{:.0f}'{} fill='#fff'/>\n", width, height, corners);
    }
    void add_end() { out_ += "</svg>\n"; }

    std::string out_;
};

}  // namespace neumann
