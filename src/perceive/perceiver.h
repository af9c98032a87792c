// Interface of object detectors: images in, objects out. One implementation is on the processor
// (processor_perceiver.h); those of LibTorch are in a library that is loaded on first use (component.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "valuation/object_vectors.h"

namespace neumann {

class Perceiver {
public:
    Perceiver() = default;
    virtual ~Perceiver() = default;
    Perceiver(const Perceiver&) = delete;
    Perceiver& operator=(const Perceiver&) = delete;

    virtual const ObjectLayout& layout() const = 0;
    // Differs where results may: a digest of the weights and of how they are used. Names cached results.
    virtual std::string fingerprint() const = 0;
    // In the order of the images, which may have any size and one or three channels. The objects of one image do not
    // depend on the other images.
    virtual std::vector<SeenObjects> look(std::span<const Image> pictures) = 0;
};

}  // namespace neumann
