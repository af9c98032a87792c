// Object detector: a network of the project on the processor, from an image to object vectors.
#pragma once

#include <memory>
#include <string>

#include "base/tensor_file.h"
#include "image/image.h"
#include "infer/network_settings.h"

namespace neumann {

// The settings of the network that the weights are of. Throws PerceptionError if they are of none that is known.
NetworkSettings settings_of(const TensorFile& weights);
bool has_dense_head(const TensorFile& weights);
bool has_slots(const TensorFile& weights);

// The pixels as a network takes them: stretched to its size, three channels.
Image network_image(const Image& image, const NetworkSettings& settings);

// A network in one thread. Different threads may use one detector.
class ObjectDetector {
public:
    // Throws PerceptionError where the weights are of no network that is known, or of another shape.
    explicit ObjectDetector(const TensorFile& weights);
    ~ObjectDetector();
    ObjectDetector(ObjectDetector&&) noexcept;

    const NetworkSettings& settings() const;
    // By the network's dense head if it has one, else by its slots.
    SeenObjects see(const Image& image) const;

private:
    struct Network;
    std::unique_ptr<const Network> network_;
};

}  // namespace neumann
