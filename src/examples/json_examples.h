// Examples as JSON Lines. Reading streams: a file may be of any length. A line is parsed once for all its users.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <neumann/examples.h>

#include "examples/json_lines.h"

namespace neumann {

class JsonExamples : public ExampleSource {
public:
    explicit JsonExamples(const std::string& path);   // "-": standard input; throws FileError
    JsonExamples(std::FILE* file, std::string name);  // takes the file over
    ~JsonExamples() override;

    std::vector<Example> next(std::size_t most) override;
    const std::string& name() const override { return lines_.name(); }
    std::string place(const Example& example) const override;
    std::string describe(const Example& example, const ExampleMistake& mistake) const override;

private:
    struct Json;
    bool read_line(const JsonLines::Line& text, Example& example);
    void read_label(Example& example) const;
    void read_targets(Example& example);
    void read_question(Example& example) const;

    JsonLines lines_;
    std::unique_ptr<Json> json_;
    std::string failed_;  // the error in the line after the last example; empty: none
};

}  // namespace neumann
