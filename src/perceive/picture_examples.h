// What there is to look at: from the arguments of a command to examples with pictures, and what is known about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neumann {

struct PictureExample {
    std::string id;
    std::vector<std::filesystem::path> images;
    std::optional<std::int64_t> label;  // 1 or 0, or a class
    std::string query;                  // the atom that is asked; empty: none
    std::string answer;                 // empty: not known
    bool label_is_truth = false;        // it says true or false, not which class
};

struct PictureList {
    std::vector<PictureExample> examples;
    std::size_t other_files = 0;   // in folders: no pictures by their names
    std::filesystem::path folder;  // the first argument that is a folder, or that of a list; empty: single files alone
};

// Each argument is one of
//   a picture                      an example of its own
//   a folder                       all pictures in it and below, by name. Pictures under a folder called true, positive
//                                  or 1 (false, negative or 0) get that label, those under class7
//                                  the label 7; folders called masks, and those whose
//                                  names begin with a dot, are passed over
//   a folder with examples.jsonl   what that lists, as a data set's split has it; pictures are in images/
//   a list, .jsonl or .json        lines {"id": …, "images": ["a.png", …], "label": …, "query": …, "answer": …}, all
//   but
//                                  "images" optional; pictures are beside the list, or in images/ there
// Throws FileError for an argument that is not there, SceneError for a list that cannot be read.
PictureList find_pictures(std::span<const std::string> arguments);

// Whether a file of examples names pictures and no atoms, going by its first line.
bool is_picture_list(const std::filesystem::path& path);

}  // namespace neumann
