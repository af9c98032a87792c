// Examples to reason over, as JSON Lines: {"id": …, "atoms": {"color(obj0,red)": 0.9, …}}, one object per line. Other
// keys are left to whom they concern. Reading streams: a file may be of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "runtime/atom_names.h"
#include "runtime/json_lines.h"

namespace neumann {

struct Example {
    std::string id = "null";  // as JSON text; of an example in a file its line number if it has none
    std::size_t line = 0;
    struct Value {
        std::uint32_t atom;
        float value;
    };
    std::vector<Value> values;
    struct Unneeded {
        std::string atom;  // canonical text
        float value;
    };
    std::vector<Unneeded> unneeded;  // atoms that were given values on which no query depends
    // Predicates ("edge/2") that were given values and have no inputs in the graph: to be compiled with them, and
    // parsed again, before the example can be used.
    std::vector<std::string> no_inputs;
};

class ExampleReader {
public:
    explicit ExampleReader(const std::string& path);   // "-": standard input; throws FileError
    ExampleReader(std::FILE* file, std::string name);  // takes the file over
    ~ExampleReader();
    ExampleReader(const ExampleReader&) = delete;
    ExampleReader& operator=(const ExampleReader&) = delete;

    // Reads up to `most` lines to be parsed; false when there are none left.
    bool next_lines(std::size_t most) { return lines_.next_lines(most); }

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
    bool parse_line(const JsonLines::Line& text, AtomNames& names, const CompiledProgram& compiled, Parsed& parsed);

    JsonLines lines_;
    std::unique_ptr<Json> json_;
};

}  // namespace neumann
