// Accuracy of one attribute on images whose scenes are known. Nothing is learned from these images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <neumann/train.h>

#include "perceive/perceiver.h"
#include "perceive/picture_pool.h"

namespace neumann {

class AttributeScore {
public:
    // Throws PerceptionError if the layout lacks the attribute, and all exceptions of ImagePool.
    AttributeScore(const ObjectLayout& layout, const std::string& attribute, const MeasuredPictures& pictures);

    // Shares of the objects that are there: "found"; "all right" in every attribute; for each value, such as "red", how
    // many of its objects are seen as such; and last, under the attribute's name, that over all values.
    std::vector<std::pair<std::string, double>> measure(Perceiver& perceiver);

private:
    const ObjectLayout& layout_;
    ObjectLayout alone_;  // a layout without the other attributes
    PicturePool pool_;
};

}  // namespace neumann
