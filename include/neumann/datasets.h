// Generated data sets by name: scenes, examples and images. The same seed gives the same data set, on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/model.h>
#include <neumann/types.h>

namespace neumann {

// A generator of scenes and examples.
struct DatasetInfo {
    std::string_view name;                   // as options name it
    std::string_view summary;                // for help texts
    std::vector<std::string_view> patterns;  // empty: it has none
    bool solid = false;                      // it has solid objects, not flat figures
    unsigned width = 0;                      // of its images, as published
    unsigned height = 0;                     // … in pixels
};

const std::vector<DatasetInfo>& all_datasets();          // all generators, in the order of the documentation
const DatasetInfo* find_dataset(std::string_view name);  // null: there is none of this name

// Why there is no such data set; empty: there is one. A pattern is asked for of those that have several, and only
// there.
std::string dataset_problem(std::string_view name, std::string_view pattern);

// What is generated.
struct GenerateOptions {
    std::string name = {};                  // of the data set
    std::string pattern = {};               // where it has several
    std::uint64_t seed = 1;                 // random seed: the same one gives the same data set
    std::optional<std::size_t> count = {};  // examples in each split; absent: as published
    std::vector<std::string> splits = {};   // of train, val and test; none: all three
    bool images = false;                    // draws images and masks, too
    unsigned width = 0;                     // of the images; 0: as published
    unsigned height = 0;                    // … in pixels; 0: as published
    bool for_training = false;              // solid objects: small and quick, as networks take them
    double noise = 0;                       // the true value gets 1 - noise, the others share it; below 1/2
    double flip = 0;                        // a value is wrong with this probability; below 1/2
    double borderline = 0;                  // flat figures: the share inside the gap between close and far, 0 to 1
    double label_noise = 0;                 // … and of labels that are wrong in train and val; below 1/2
    std::filesystem::path program = {};     // that the examples are for; empty: the one that belongs to the data set
    unsigned threads = 0;                   // 0: as many as the machine has
    ModelOptions reading = {};              // how messages about the program are shown
    ProgressFunction progress = {};         // called now and then; may be empty
};

// A split that was written.
struct GeneratedSplit {
    std::filesystem::path folder;  // with the files of the split
    std::size_t examples = 0;      // how many there are
};

// A data set that was written.
struct GeneratedDataset {
    std::vector<GeneratedSplit> splits;  // in the order of the options
    std::filesystem::path program;       // empty: the data set has none, and no examples but scenes
};

// Goes on where an earlier run with the same options was stopped. Throws Error; also for a folder that holds anything
// else.
GeneratedDataset generate_dataset(const GenerateOptions& options, const std::filesystem::path& folder);

}  // namespace neumann
