// Facts from tables: files of comma- or tab-separated values, plain or compressed with gzip, one fact per record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "base/text_file.h"
#include "logic/program.h"

namespace neumann::syntax {

// A column by its name in the header, or by its number from 1.
struct Column {
    std::variant<std::string, std::uint32_t> name;
    Span span;  // where it was written
};

struct FactTable {
    std::filesystem::path path;
    PredicateId predicate;
    bool header = false;                // the first record names the columns; so it does if one is given by name
    std::vector<Column> columns;        // of the arguments; empty: all but that of the probability, in order
    std::optional<Column> probability;  // absent: all facts are certain
    std::optional<char> separator;      // absent: a tab in files that end in .tsv or .tsv.gz, else a comma
    Span span;                          // of the directive
    Span path_span;                     // of the path in it
};

// Tables may be larger than program texts.
inline constexpr TextLimits table_limits{.max_bytes = 0xffff'fffeULL, .max_line_bytes = 1ULL << 20};

// Adds its facts to the program. Constants of open types need no declaration; others must be there.
void read_fact_table(const FactTable& table, Program& program, Diagnostics& diagnostics);

}  // namespace neumann::syntax
