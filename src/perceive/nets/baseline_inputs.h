// What baselines learn from: pictures as bytes, or the rows of the objects that another network sees in them.
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

// Told how many are done; may throw to end it.
using InputsDone = std::function<void(std::size_t)>;

// pictures × height × width × 3, each squashed to that size. Throws FileError for one that cannot be read.
torch::Tensor read_pictures(const std::vector<std::filesystem::path>& pictures, std::int64_t width, std::int64_t height,
                            unsigned threads, const InputsDone& done);

// pictures × objects × columns: the objects that are surest, and rows of 0 where there are fewer. The cache may be
// null.
torch::Tensor read_rows(const std::vector<std::filesystem::path>& pictures, Perceiver& perceiver, std::int64_t objects,
                        unsigned threads, SeenCache* cache, const InputsDone& done);

// Like the rows of pictures to learn from, as read_rows() gives them: 1 where the rule of the picture's class is about
// the entry, else 0. For data sets in folders with train/scenes.jsonl, of classes whose rules are known; throws
// FileError, SceneError or PerceptionError for others.
torch::Tensor explanation_masks(const PictureClasses& classes, std::span<const std::filesystem::path> folders,
                                const torch::Tensor& rows, const ObjectLayout& layout);

}  // namespace neumann
