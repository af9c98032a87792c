// The commands that an experiment comes down to: loops run through, placeholders filled in, and who makes whose files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment_file.h"

namespace neumann::app {

// Where a run keeps and finds things.
struct RunFolders {
    std::filesystem::path results;  // of all experiments
    std::filesystem::path root;     // that holds the experiments' folder
    std::string executable;         // this very program
    unsigned threads = 1;

    std::filesystem::path work(const std::string& experiment, bool quick) const {
        return results / (experiment + (quick ? ".quick" : ""));
    }
};

Placeholders run_placeholders(const Experiment& experiment, const RunFolders& folders);

struct StepInstance {
    const Step* step = nullptr;  // borrowed from the experiment
    Bindings bindings;
    std::vector<std::string> shown;  // {work}, {root} and the like left as they are: the same on every machine
    std::vector<std::string> run;    // all filled in
    std::string key;  // changes with the command, what it takes from {root} and other experiments, and those that make
                      // its files
    std::vector<std::string> made;    // paths in {work} that it makes
    std::vector<std::size_t> makers;  // instances before this one whose files it uses
};

// Steps in the order of the file, then baselines. The command that mentions a path in {work} first is taken to make it;
// later ones that mention the path, a folder above or a file below it use it.
std::vector<StepInstance> expand_steps(const Experiment& experiment, const RunFolders& folders);

// Which instances must run for the baselines: themselves and, through their files, what they need.
std::vector<bool> needed_for_baselines(const std::vector<StepInstance>& instances, const Experiment& experiment);

std::string quoted_command(const std::vector<std::string>& arguments);  // as a shell takes it

}  // namespace neumann::app
