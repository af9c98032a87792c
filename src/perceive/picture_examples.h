// Image arguments of a command: examples with images and their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace neumann {

struct PictureExample {
    std::string id;
    std::vector<std::filesystem::path> images;
    std::optional<std::int64_t> label = {};  // 1 or 0, or a class
    std::string query = {};                  // the atom that is asked; empty: none
    std::string answer = {};                 // empty: not known
    bool label_is_truth = false;             // the label is true or false, not a class
    // Atoms and their probabilities, each with its text. `atoms` may also be those that are true in the images.
    std::vector<std::pair<std::string, double>> atoms = {};
    std::vector<std::pair<std::string, double>> targets = {};
};

struct PictureList {
    std::vector<PictureExample> examples;
    std::size_t other_files = 0;   // in folders: files whose names are not those of images
    std::filesystem::path folder;  // the first argument that is a folder, or that of a list; empty: single files alone
};

// Each argument is one of
//    an image                       an example of its own
//    a folder                       all images in it and below, by name. Images under a folder called true, positive
//                                   or 1 (false, negative or 0) get that label, those under class7
//                                   the label 7; folders called masks, and those whose
//                                   names begin with a dot, are skipped
//    a folder with examples.jsonl   its examples, as in a data set's split; images are in images/
//    a list, .jsonl or .json        lines {"id": …, "images": ["a.png", …], "label": …, "query": …, "answer": …,
//                                   "targets": {atom: probability, …}, "atoms": {atom: probability, …}}, where only
//                                   "images" is required; images are beside the list, or in images/ there
// Throws FileError for a missing argument, SceneError for a list that cannot be read.
PictureList find_pictures(std::span<const std::string> arguments);

// Whether a file of examples names images and no atoms, judged by its first line.
bool is_picture_list(const std::filesystem::path& path);

}  // namespace neumann
