#include "base/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"

namespace neumann {
namespace {

std::size_t width_of(const std::string& text) {  // in characters, not bytes
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

}  // namespace

std::string with_separators(std::uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string counted(std::uint64_t number, const std::string& thing) {
    return fmt::format("{} {}{}", with_separators(number), thing, number == 1 ? "" : "s");
}

std::string shortened(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    std::size_t cut = most - 1;
    while (cut > 0 && continues_character(text[cut])) --cut;
    return text.substr(0, cut) + "…";
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) widths.push_back(width_of(column.title));
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string out;
    const auto add = [&](const auto& cell_of) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string cell = cell_of(i);
            const std::string pad(widths[i] - width_of(cell), ' ');
            line += (i == 0 ? "" : "  ") + (columns_[i].align == Align::Left ? cell + pad : pad + cell);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    const auto add_rule = [&] {
        add([&](std::size_t i) {
            std::string dashes;
            for (std::size_t n = 0; n < widths[i]; ++n) dashes += "─";
            return dashes;
        });
    };
    add([&](std::size_t i) { return columns_[i].title; });
    add_rule();
    for (const auto& row : rows_) {
        if (row.empty()) {
            add_rule();
        } else {
            add([&](std::size_t i) { return row[i]; });
        }
    }
    return out;
}

}  // namespace neumann
