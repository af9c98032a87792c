// The shared library's only doors.
#include "perceive/component.h"

#include <torch/torch.h>

#include "perceive/nets/device.h"
#include "perceive/nets/network_perceiver.h"
#include "perceive/nets/train_baseline.h"
#include "perceive/nets/train_objects.h"
#include "perceive/version.h"
#include "render/trace_cuda.h"

namespace neumann {
namespace {

// LibTorch's own errors come with stack traces; the first line is the actual message.
template <class Work>
auto told(const Work& work) {
    try {
        return work();
    } catch (const c10::Error& error) {
        throw PerceptionError(std::string("LibTorch: ") + error.what_without_backtrace());
    }
}

class TorchComponent final : public PerceptionComponent {
public:
    std::string description() const override { return torch_description(); }
    bool has_gpu() const override { return torch::cuda::is_available(); }
    std::unique_ptr<Perceiver> open(const TensorFile& weights, const DeviceOptions& options) override {
        return told([&] { return open_perceiver(weights, options); });
    }
    std::unique_ptr<TrainablePerceiver> open_trainable(const TensorFile& weights, const TrainablePart& part,
                                                       const DeviceOptions& options) override {
        return told([&] { return open_trainable_perceiver(weights, part, options); });
    }
    bool draws_on_cuda() const override { return cuda_tracer_available(); }
    TrainingOutcome train_objects(const ObjectTraining& request, TrainingListener& listener) override {
        return told([&] { return train_object_network(request, listener); });
    }
    BaselineOutcome train_baseline(const BaselineTraining& request, TrainingListener& listener) override {
        return told([&] { return train_baseline_network(request, listener); });
    }
};

}  // namespace
}  // namespace neumann

extern "C" neumann::PerceptionComponent* neumann_perception_component() {
    static neumann::TorchComponent component;
    return &component;
}

extern "C" const char* neumann_perception_version() { return neumann::perception_version; }
