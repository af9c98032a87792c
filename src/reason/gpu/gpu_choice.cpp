#include "reason/gpu/gpu_choice.h"

#include <mutex>

#include "reason/gpu/component.h"

namespace neumann {
namespace {

// Seconds that a GPU would have saved those who did without.
bool repays_start(double saved) {
    static std::mutex mutex;
    static double so_far = 0;
    ReasoningWork nothing;
    const double cold = gpu_seconds(nothing);
    nothing.gpu_started = true;
    const std::scoped_lock lock(mutex);
    so_far += saved;
    return so_far >= cold - gpu_seconds(nothing);
}

}  // namespace

bool GpuChoice::takes(const ReasoningWork& batch) {
    if (given_up_ || taken_) return taken_;
    ReasoningWork warm = batch;
    warm.gpu_started = true;
    const double saved = processor_seconds(warm) - gpu_seconds(warm);
    if (saved <= 0 || (!gpu_started() && !repays_start(saved))) return false;
    taken_ = find_gpu_device() != nullptr;
    given_up_ = !taken_;
    return taken_;
}

}  // namespace neumann
