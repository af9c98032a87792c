// Saliency overlay: masks of objects, weighted by their gradients, brighten the image.
#pragma once

#include <span>

#include "image/image.h"

namespace neumann {

// One object: its weight (φ of the paper, not negative) and where it is.
struct WeightedMask {
    double weight = 0;
    Image mask;  // one channel, 255 on the object; any size, stretched over the image
};

// E = Σ φ·M, divided by the largest φ (0 if all are 0), at most 1. Where E is 0 the image is dark and pale; the larger
// E, the brighter and more colourful; where E is 1 the image is unchanged. Around bright parts there is a glow, from
// dark red to pale yellow as E goes from 0 to 1. The image may have one or three channels; the result has its size and
// three. Throws std::invalid_argument for other images, for masks that are empty or have more than one channel, and for
// weights that are negative or not numbers.
Image heat_overlay(const Image& picture, std::span<const WeightedMask> masks);

// A rounded box (superellipse) with soft edges, which end in the box's corners. Centre and size are shares of the
// image. Throws std::invalid_argument for a mask without pixels.
Image box_mask(double x, double y, double width, double height, unsigned mask_width, unsigned mask_height);

}  // namespace neumann
