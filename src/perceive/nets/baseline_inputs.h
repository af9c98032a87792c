// Input of the baselines: images as bytes, or the object vectors of another network.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include <torch/torch.h>

#include "perceive/nets/labelled_pictures.h"
#include "perceive/perceiver.h"
#include "perceive/seen_cache.h"

namespace neumann {

// Receives the number that are done; may throw to stop.
using InputsDone = std::function<void(std::size_t)>;

// images × height × width × 3, each stretched to that size. Throws FileError for an image that cannot be read.
torch::Tensor read_pictures(const std::vector<std::filesystem::path>& pictures, std::int64_t width, std::int64_t height,
                            unsigned threads, const InputsDone& done);

// images × objects × columns: the objects of highest presence, padded with rows of 0. The cache may be null.
torch::Tensor read_rows(const std::vector<std::filesystem::path>& pictures, Perceiver& perceiver, std::int64_t objects,
                        unsigned threads, SeenCache* cache, const InputsDone& done);

// In the shape of the rows of training images, as read_rows() returns them: 1 where the rule of the image's class uses
// the entry, else 0. For data sets in folders with train/scenes.jsonl, of classes whose rules are known; throws
// FileError, SceneError or PerceptionError for others.
torch::Tensor explanation_masks(const PictureClasses& classes, std::span<const std::filesystem::path> folders,
                                const torch::Tensor& rows, const ObjectLayout& layout);

}  // namespace neumann
