// HTML elements for the sections of an explanation page. All return HTML and escape their texts.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/svg_text.h"
#include "report/explanation_output.h"

namespace neumann::page {

template <typename... Arguments>
void add(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

// One explanation of a page.
struct ReportPlace {
    std::string id;  // begins every id within: e1
    const ReportInput* input;

    const Explanation& explanation() const { return *input->explanation; }
};

std::string code(std::string_view text);
std::string sentence_html(const std::string& sentence,
                          const std::string& atom);  // in words, or the atom if it has none
std::string capitalised(std::string text);

std::string value_chip(double value, double threshold);
std::string percent(double share);                  // 64 %, < 0.1 %
std::string number(double value);                   // with a real minus
std::string bar(double part);                       // of 1; a negative one is drawn in another colour
std::string gauge(double value, double threshold);  // a bar with a mark where true begins

std::string line_id(const ReportPlace& place, std::size_t source, std::uint32_t line);
// "wet.nm:21", a link where that file is among the sources.
std::string line_link(const ReportPlace& place, const std::string& file, std::uint32_t line);
bool is_listed(const ReportSource& source);  // a file; not the text of an option, such as --query
// Index in input->sources of the file of a clause or step, or their count.
std::size_t source_of(const ReportInput& input, const std::string& file);

}  // namespace neumann::page
