// Something that looks at pictures and says which objects are there. Networks are behind this interface, and behind a
// library that is loaded only when it is asked for (component.h): starting LibTorch takes half a second.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "perceive/object_vectors.h"
#include "scene/image.h"

namespace neumann {

// A network that cannot be used: the message says which file, and what is wrong with it.
class PerceptionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

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
