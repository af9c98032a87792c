// Comma-separated values after RFC 4180: records of fields, which may be quoted and then hold separators, line breaks
// and doubled quotes. Lines may end with LF or CRLF, the last one with nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neumann::syntax {

struct CsvField {
    std::string_view text;    // unquoted
    std::uint32_t begin = 0;  // in the text, quotes included
    std::uint32_t end = 0;
};

// A syntax error and its position.
struct CsvMistake {
    std::uint32_t begin;
    std::uint32_t end;
    std::string message;
    std::string advice;
};

class CsvReader {
public:
    // Borrows the text.
    CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

    // The next record that is not an empty line; false at the end, or on an error, which mistake() then has.
    // Fields hold until the next call.
    bool next(std::vector<CsvField>& fields);
    // The same, but appends the fields to the existing ones, which hold until forget().
    bool append(std::vector<CsvField>& fields);
    void forget() { unescaped_.clear(); }
    const std::optional<CsvMistake>& mistake() const { return mistake_; }

private:
    bool at_line_end(std::size_t at) const;
    bool read_quoted(CsvField& field);
    void read_plain(CsvField& field);
    bool fail(std::size_t begin, std::size_t end, std::string message, std::string advice);

    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
    std::deque<std::string> unescaped_;  // fields with doubled quotes, which stand nowhere in the text
    std::optional<CsvMistake> mistake_;
};

}  // namespace neumann::syntax
