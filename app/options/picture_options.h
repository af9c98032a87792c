// Options of every command that reads images.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <neumann/perceive.h>

namespace neumann::app {

struct PictureOptions : LookOptions {
    // `batch_name`: where the command has another --batch already.
    void add_to(CLI::App& command, const std::string& group, const char* batch_name);
};

}  // namespace neumann::app
