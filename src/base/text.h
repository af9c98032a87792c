// Text for people: tables, counts, sizes of memory, and suggestions for mistyped names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neumann {

std::string with_separators(std::uint64_t number);                    // 844,963
std::string counted(std::uint64_t number, const std::string& thing);  // 1 atom, 7,900 atoms

std::string format_bytes(std::uint64_t bytes);                    // "1.5 GiB"
std::optional<std::uint64_t> parse_bytes(std::string_view text);  // "512M", "2GiB", "1000"

// At most so many bytes, ended by "…" where something is missing; no character is cut in two.
std::string shortened(const std::string& text, std::size_t most);

std::string json_text(std::string_view text);  // in quotes, as JSON has it

// "did you mean 'color/2'?", or `otherwise` if nothing is near. Of candidates such as color/2 only the name counts.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& candidates,
                         std::string otherwise = {});

// The same, or all candidates if nothing is near: "known are color/2, shape/2".
std::string did_you_mean_or_list(std::string_view wrong, const std::vector<std::string>& candidates);

// A table of text: numbers to the right, texts to the left.
class Table {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Right;
    };
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void add_line() { rows_.emplace_back(); }
    std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;  // an empty row is a line
};

}  // namespace neumann
