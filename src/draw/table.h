// Text tables: numbers to the right, texts to the left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace neumann {

std::string with_separators(std::uint64_t number);                    // 844,963
std::string counted(std::uint64_t number, const std::string& thing);  // 1 atom, 7,900 atoms

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
