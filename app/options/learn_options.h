// The options of neumann learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include <neumann/induce.h>
#include <neumann/learn.h>
#include <neumann/learn_parameters.h>
#include <neumann/learn_weights.h>
#include <neumann/semantics.h>

#include "options/picture_options.h"
#include "options/program_options.h"

namespace neumann::app {

struct LearnSettings {
    std::filesystem::path path;
    LearnOptions learn;
    ReadingOptions reading;
    GroundingLimits limits;
    std::string images;  // a folder with train, val and test in it
    PictureOptions pictures;
    std::string search = "gradient";
    std::string algorithm{info(default_algorithm).name};
    std::string optimiser = "rmsprop";
    std::string semantics{default_semantics_name};
    std::string steps = "auto";
    std::string threshold = "auto";
    std::string output;
    std::string report;
    std::string checkpoint;
    bool json = false;
    bool quiet = false;
    double time_limit = 0;
    std::uint64_t work_limit = 0;  // 0: none is given
    const CLI::Option* trials = nullptr;
    bool parameters = false;  // learn these, not clauses
    ParameterOptions parameter;
    std::string method = "em";
    bool weights_only = false;  // learn the weights of the program by gradients of a loss
    WeightLearningOptions weight;
    std::string loss = "cross-entropy";
    const CLI::Option* rate = nullptr;
    const CLI::Option* optimiser_option = nullptr;
    bool popper = false;  // the path is a folder with a task of Popper
    bool aleph = false;   // the path is the stem of a task of Aleph
    InduceOptions induce;
    const CLI::App* learn_command = nullptr;

    void add_to(CLI::App& command);
    // Puts what was given into `learn`. Throws UsageError; FileError for what could not be written in the end.
    void read();
    void read_parameters();  // the same for `parameter`
    void read_weights();     // the same for `weight`
    void read_task();        // the same for `induce`

private:
    void take_images();
    void require_fitting(const std::string& mode, std::vector<std::string> fitting) const;
    void read_algorithm();
    std::filesystem::path journal_file() const;  // empty: none
};

}  // namespace neumann::app
