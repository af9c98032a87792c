// Options that select the examples, for every command that reasons over some.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <neumann/examples.h>
#include <neumann/model.h>

#include "options/picture_options.h"

namespace neumann::app {

struct ExampleOptions {
    std::string examples;             // a file; empty: none
    std::vector<std::string> images;  // empty: none
    std::string ask;
    PictureOptions pictures;
    std::size_t batch = 64;

    void add_to(CLI::App& command);  // except the options of images, which come last
    bool many() const { return !examples.empty() || !images.empty(); }
    // `instead`: the option that replaces --ask. Throws UsageError.
    void check(const char* instead) const;

    // The examples, for this program; null if there are none. `keep_seen` as for images.
    std::unique_ptr<ExampleSource> open(const Model& program, bool keep_seen = false) const;
};

// Prints the final notes of a source on standard error; throws CommandFailed if none of its examples could be read.
void finish_examples(const ExampleSource& source);

}  // namespace neumann::app
