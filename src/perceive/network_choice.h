// Choice of the network for images: a named one, or for each image the one of its kind.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "image/image.h"
#include "perceive/component.h"
#include "valuation/object_vectors.h"

namespace neumann {

class NetworkChoice {
public:
    // "auto": "figures" for flat figures, "solids" for all else (picture_kind.h); "figures", "solids" or "slots":
    // bundled weights of that name; anything else is a file of weights. Loads the component for a GPU only. Throws
    // PerceptionError, FileError.
    NetworkChoice(const std::string& name, const DeviceOptions& options);
    ~NetworkChoice();

    // Differs where results may.
    const std::string& fingerprint() const { return fingerprint_; }
    // The number of images of undecided kind, if the kind selects the network.
    std::size_t undecided() const { return undecided_; }
    // In the order of the images. The layouts are those of this side of the component.
    std::vector<SeenObjects> look(std::span<const Image> pictures);

private:
    // A network of "auto" may be missing as long as no image needs it.
    struct Network {
        std::unique_ptr<Perceiver> perceiver;
        std::string missing;  // why there is none
    };
    static Network open(const std::string& name, const DeviceOptions& options);
    static std::vector<SeenObjects> look_with(Network& network, std::span<const Image> pictures);

    Network first_;   // the one that was named, or that for flat figures
    Network second_;  // auto: for all else
    bool automatic_ = false;
    std::atomic<std::size_t> undecided_{0};
    std::string fingerprint_;
};

}  // namespace neumann
