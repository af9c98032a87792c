// Something that looks at pictures and says which objects are there. Networks are behind this interface, and behind a
// library that is loaded only when it is asked for (component.h): starting LibTorch takes half a second.
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
    // In the order of the pictures, which may have any size and one or three channels. What is seen in one does not
    // depend on the others.
    virtual std::vector<SeenObjects> look(std::span<const Image> pictures) = 0;
};

}  // namespace neumann
