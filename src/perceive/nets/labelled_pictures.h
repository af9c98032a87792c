// Data sets of images with a class each.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "datasets/split.h"

namespace neumann {

struct LabelledPictures {
    std::vector<std::filesystem::path> pictures;
    std::vector<std::int64_t> labels;  // numbers of classes
};

struct PictureClasses {
    std::vector<std::string> names;
    LabelledPictures train, validation, test;  // test may be empty

    const LabelledPictures& of(Split split) const {
        return split == Split::Train ? train : split == Split::Val ? validation : test;
    }
};

// Each folder has train/, val/ and perhaps test/. Each of these holds either examples.jsonl, as in generated data sets,
// with numbers as classes; or a folder for each class, numbered in the order of their names (false, true). The folders
// of classes may also be outside, with train/ and val/ in each. Throws FileError, SceneError for a list that cannot be
// read, or PerceptionError for a list without the class of each image.
PictureClasses find_labelled_pictures(std::span<const std::filesystem::path> folders);

}  // namespace neumann
