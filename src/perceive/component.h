// Interface of the perception component: a shared library that needs LibTorch, for training and for networks on a GPU.
// It is found beside the command and loaded on first use. This header is the only part of it that the rest includes,
// and needs no LibTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <neumann/train.h>

#include "base/tensor_file.h"
#include "perceive/perceiver.h"

namespace neumann {

// A network whose weights can still learn, from external gradients.
class TrainablePerceiver : public Perceiver {
public:
    // Like look(), and keeps the computation graph.
    virtual std::vector<SeenObjects> look_and_remember(std::span<const Image> pictures) = 0;
    // The derivative of a loss by every entry of the rows remembered last; takes one step down along it.
    virtual void learn(std::span<const std::vector<float>> gradients) = 0;
    virtual void save(const std::filesystem::path& path) = 0;
};

class PerceptionComponent {
public:
    virtual ~PerceptionComponent() = default;
    virtual std::string description() const = 0;  // which LibTorch, which devices
    virtual bool has_gpu() const { return false; }
    // Throws PerceptionError where the weights are of no network that is known, or of another shape.
    virtual std::unique_ptr<Perceiver> open(const TensorFile& weights, const DeviceOptions& options) = 0;
    virtual std::unique_ptr<TrainablePerceiver> open_trainable(const TensorFile& weights, const TrainablePart& part,
                                                               const DeviceOptions& options) = 0;
    virtual bool draws_on_cuda() const { return false; }  // training images, with the GPU's own tracer
    virtual TrainingOutcome train_objects(const ObjectTraining& request, TrainingListener& listener) = 0;
    virtual BaselineOutcome train_baseline(const BaselineTraining&, TrainingListener&) {
        throw PerceptionError("this component has no baselines");
    }
};

// Exports of the shared library, with C linkage: neumann_perception_version() returns the perception_version
// (perceive/version.h) that it was built with, neumann_perception_component() the one component, which lives as long
// as the process.
using PerceptionVersionFunction = const char*();
using PerceptionComponentFunction = PerceptionComponent*();

// Names another file as the component.
inline constexpr const char* perception_variable = "NEUMANN_PERCEPTION_LIBRARY";

// Searches $NEUMANN_PERCEPTION_LIBRARY (a file), the folder of the command, and the installed lib/neumann, and loads
// the library. Throws PerceptionError, with the package to install or the target to build, if there is none.
PerceptionComponent& perception_component();

}  // namespace neumann
