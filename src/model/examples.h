// Examples to reason over, as JSON Lines: {"id": …, "atoms": {"color(obj0,red)": 0.9, …}}, one object per line. Other
// keys are left to whom they concern. Reading streams: a file may be of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/atom_names.h"

namespace neumann {

struct Example {
    std::string id = "null";  // as JSON text; of an example in a file its line number if it has none
    std::size_t line = 0;
    struct Value {
        std::uint32_t atom;
        float value;
    };
    std::vector<Value> values;
    std::vector<std::string> unneeded;  // atoms that were given values on which no query depends
    // Predicates ("edge/2") that were given values and have no inputs in the graph: to be compiled with them, and
    // parsed again, before the example can be used.
    std::vector<std::string> no_inputs;
};

// What is wrong with the input, ready to be shown: "file:line:column: error: …".
class ExampleError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class ExampleReader {
public:
    explicit ExampleReader(const std::string& path);   // "-": standard input; throws FileError
    ExampleReader(std::FILE* file, std::string name);  // takes the file over
    ~ExampleReader();
    ExampleReader(const ExampleReader&) = delete;
    ExampleReader& operator=(const ExampleReader&) = delete;

    // Reads up to `most` lines to be parsed; false when there are none left.
    bool next_lines(std::size_t most);

    // Parses the lines at hand, or `count` of them from the given one on. What precedes a mistake is returned, and
    // `failed` is set, ready to be shown; more than one mistake is not looked for.
    struct Parsed {
        std::vector<Example> examples;
        std::string failed;
    };
    void parse(AtomNames& names, const CompiledProgram& compiled, Parsed& parsed, std::size_t first = 0,
               std::size_t count = static_cast<std::size_t>(-1));

    std::string place(const Example& example) const;  // "file:line"

private:
    struct Json;
    bool parse_line(std::string_view line, std::size_t number, AtomNames& names, const CompiledProgram& compiled,
                    Parsed& parsed);
    void fill();

    std::string name_;
    std::FILE* file_ = nullptr;
    bool at_end_ = false;
    std::vector<char> buffer_;  // with room behind the text that the parser may read
    std::size_t begin_ = 0;     // of what has not been handed out
    std::size_t filled_ = 0;
    std::size_t line_ = 0;  // lines handed out
    struct Line {
        std::size_t begin;
        std::size_t size;
        std::size_t number;
    };
    std::vector<Line> lines_;
    std::unique_ptr<Json> json_;
};

}  // namespace neumann
