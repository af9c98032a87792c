// Which examples a command is about, for every command that reasons over some.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "picture_options.h"

namespace neumann::app {

struct ExampleOptions {
    std::string examples;             // a file; empty: none
    std::vector<std::string> images;  // empty: none
    std::string ask;
    PictureOptions pictures;
    std::size_t batch = 64;

    void add_to(CLI::App& command);  // but for the pictures' own options, which come last
    bool many() const { return !examples.empty() || !images.empty(); }
    // `instead`: how the command is asked for what --ask is not. Throws UsageError.
    void check(const char* instead) const;
};

}  // namespace neumann::app
