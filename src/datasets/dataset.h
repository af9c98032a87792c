// Data sets by name: their contents, and how they are written to a folder.
//
//   DIR/dataset.json              how it was made; "complete" is true once all files are written
//   DIR/SPLIT/scenes.jsonl        the scene of every image, in order (solid objects: also CLEVR's scenes.json)
//   DIR/SPLIT/examples.jsonl      a line for each example: id, atoms, and label, or query and answer
//   DIR/SPLIT/questions.json      questions in the published form, and as JSON Lines
//   DIR/SPLIT/images/, masks/     images and object masks, PNG
//   DIR/SPLIT/boxes.jsonl         the bounding box of each object in its image
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/datasets.h>

#include "base/progress.h"
#include "datasets/questions.h"
#include "datasets/split.h"
#include "render/trace.h"
#include "scene/scene.h"
#include "valuation/valuation.h"

namespace neumann {

// One example: its images and their ground truth.
struct SceneExample {
    std::string id;
    std::vector<Scene> images;
    std::optional<unsigned> label;  // 1 or 0, or a class
    std::string query;              // the atom that is asked; empty: none
    std::string answer;
};

struct DatasetRequest {
    std::string name;     // kandinsky, clevr-hans, clevr-list, behind-the-scenes
    std::string pattern;  // of kandinsky and clevr-list
    std::uint64_t seed = 1;
    std::optional<std::size_t> count;  // examples in each split; absent: as published
    std::vector<Split> splits = {Split::Train, Split::Val, Split::Test};
    bool images = false;
    unsigned width = 0;  // 0: as published
    unsigned height = 0;
    double borderline = 0;   // of kandinsky: the share of figures inside the gaps of the rules
    double label_noise = 0;  // … and of labels that are wrong, but in the test part
    TraceOptions trace;      // of solid objects; its size is ignored
    unsigned threads = 1;
};

// The problem with the share of borderline figures or of wrong labels; empty if both are valid.
std::string disturbance_problem(const DatasetRequest& request);

// The file of examples/ whose program the examples are for; empty: there is none.
std::string bundled_program(const DatasetRequest& request);

std::size_t dataset_size(const DatasetRequest& request, Split split);
QuestionOptions question_options(const DatasetRequest& request, Split split);  // of behind-the-scenes
std::vector<SceneExample> make_examples(const DatasetRequest& request, Split split);

// Writes all of it. `valuation` may be null: no examples are written then. Goes on where an earlier run with the same
// request was stopped; refuses, with FileError, a folder that holds anything else.
void write_dataset(const DatasetRequest& given, const std::filesystem::path& folder, const Valuation* valuation,
                   const ValuationOptions& options, const std::string& program, Progress* progress);

}  // namespace neumann
