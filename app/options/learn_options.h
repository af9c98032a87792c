// The options of neumann learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "learn/options.h"
#include "options/picture_options.h"
#include "options/program_options.h"

namespace neumann::app {

struct LearnSettings {
    std::filesystem::path path;
    ReadingOptions reading;
    GroundOptions ground;
    std::string train;
    std::string validation;
    std::string test;
    std::string images;  // a folder with train, val and test in it
    PictureOptions pictures;
    std::vector<std::string> given;
    std::optional<std::int64_t> positive;
    std::string search = "gradient";
    std::string optimiser = "rmsprop";
    std::string learning_semantics{learning_semantics_name};
    std::string semantics{default_semantics_name};
    std::string steps = "auto";
    std::string threshold = "auto";
    std::string output;
    std::string report;
    std::string checkpoint;
    bool resume = false;
    bool json = false;
    bool quiet = false;
    double time_limit = 0;
    LearnerOptions learn;
    const CLI::Option* trials = nullptr;

    void add_to(CLI::App& command);
    // Puts what was given into `learn`. Throws UsageError; FileError for what could not be written in the end.
    void read();
    std::filesystem::path journal_file() const;  // empty: none
    std::string text() const;                    // all that can change what is learned

private:
    void take_images();
};

}  // namespace neumann::app
