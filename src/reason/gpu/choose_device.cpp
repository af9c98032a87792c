#include "reason/gpu/choose_device.h"

#include <algorithm>

namespace neumann {
namespace {

// An H200 and one core of its machine, softor: bench/gpu.py prints these numbers.
constexpr double core_per_edge = 0.2e-9;  // seconds per edge, example and step; examples by tiles
constexpr double gpu_per_edge = 0.0014e-9;
constexpr double gpu_per_step = 8e-6;  // however little there is to do in it
constexpr double gpu_per_batch = 400e-6;
constexpr double gpu_start = 0.3;
constexpr double with_gradients = 4;  // times as long
constexpr std::uint64_t tile = 16;
constexpr double examples_of_batch = 4'096;

double work_of(const ReasoningWork& work) {
    const std::uint64_t lanes = (work.examples + tile - 1) / tile * tile;
    return static_cast<double>(work.edges) * static_cast<double>(lanes) * work.steps *
           (work.gradients ? with_gradients : 1);
}

}  // namespace

double processor_seconds(const ReasoningWork& work) {
    const std::uint64_t tiles = (work.examples + tile - 1) / tile;
    const auto busy = std::clamp<std::uint64_t>(tiles, 1, std::max(1U, work.threads));
    return work_of(work) * core_per_edge / static_cast<double>(busy);
}

double gpu_seconds(const ReasoningWork& work) {
    const double batches = std::max(1.0, static_cast<double>(work.examples) / examples_of_batch);
    const double each = gpu_per_batch + work.steps * gpu_per_step * (work.gradients ? with_gradients : 1);
    return (work.gpu_started ? 0 : gpu_start) + batches * each + work_of(work) * gpu_per_edge;
}

bool gpu_pays(const ReasoningWork& work) { return gpu_seconds(work) < processor_seconds(work); }

}  // namespace neumann
