// Saliency maps over the images of an example: which objects the explained value depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <neumann/explanation.h>

#include "image/image.h"
#include "valuation/object_vectors.h"

namespace neumann {

// The image with the objects of `image` lit by their weights. The mask of an object is the network's attention if there
// is one, else its box. Objects that were not detected have no place and are left out.
Image overlay_of(const Image& picture, const SeenObjects& seen, std::span<const ExplainedObject> objects,
                 std::uint32_t image);

// The original and its heat map side by side, as a figure shows them; both of one height, with one or three channels.
Image side_by_side(const Image& left, const Image& right);

enum class HeatMapForm { Alone, BesideOriginal };

// The heat map of each image of an example, as PNG: the first to `output`, that of the second to NAME_img2.png beside
// it, and so on. Returns the files. Throws FileError; std::invalid_argument unless there is one `seen` per image.
std::vector<std::filesystem::path> write_heat_maps(std::span<const std::filesystem::path> pictures,
                                                   std::span<const SeenObjects* const> seen,
                                                   std::span<const ExplainedObject> objects,
                                                   const std::filesystem::path& output,
                                                   HeatMapForm form = HeatMapForm::Alone);

}  // namespace neumann
