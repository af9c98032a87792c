#include "perceive/nets/device.h"

#include <mutex>

#include <ATen/autocast_mode.h>
#include <fmt/format.h>
#include <malloc.h>

#include "base/parallel.h"

namespace neumann {
namespace {

void cast_to_bfloat16(torch::DeviceType device, bool on) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
    at::autocast::set_autocast_dtype(device, torch::kBFloat16);
    at::autocast::set_autocast_enabled(device, on);
#else
    if (device == torch::kCUDA) {
        at::autocast::set_autocast_gpu_dtype(torch::kBFloat16);
        at::autocast::set_enabled(on);
    } else {
        at::autocast::set_autocast_cpu_dtype(torch::kBFloat16);
        at::autocast::set_cpu_enabled(on);
    }
#endif
}

}  // namespace

unsigned thread_count(const DeviceOptions& options) {
    return options.threads == 0 ? hardware_threads() : options.threads;
}

torch::Device open_device(const DeviceOptions& options) {
    // Big blocks come and go with every batch: given back to the system each time, they cost a quarter of the run.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    torch::set_num_threads(static_cast<int>(thread_count(options)));
    try {
        const std::string found = torch::cuda::is_available() ? "cuda" : "cpu";
        const torch::Device device(options.device == "auto" ? found : options.device);
        if (device.is_cuda() && !torch::cuda::is_available())
            throw PerceptionError("--device " + options.device + ": there is no GPU that this LibTorch could use");
        if (!device.is_cuda() && !device.is_cpu()) throw PerceptionError("--device: expected cpu, cuda or auto");
        return device;
    } catch (const c10::Error&) {
        throw PerceptionError("--device: expected cpu, cuda, cuda:NUMBER or auto, not '" + options.device + "'");
    }
}

torch::Generator device_generator(const torch::Device& device, std::uint64_t seed) {
    torch::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(seed);
    return generator;
}

HalfPrecision::HalfPrecision(const torch::Device& device, bool on) : device_(device.type()), on_(on) {
    if (on_) cast_to_bfloat16(device_, true);
}

HalfPrecision::~HalfPrecision() {
    if (!on_) return;
    cast_to_bfloat16(device_, false);
    at::autocast::clear_cache();  // of weights, which are about to change
}

void require_half_precision(const torch::Device& device) {
    try {
        const torch::Tensor weights = torch::ones({16, 3, 3, 3}, torch::TensorOptions(device).requires_grad(true));
        const HalfPrecision half(device, true);
        torch::conv2d(torch::ones({2, 3, 8, 8}, device), weights).sum().to(torch::kFloat32).backward();
    } catch (const std::exception& error) {
        const std::string why = error.what();
        throw PerceptionError(fmt::format(
            "--precision bfloat16: LibTorch cannot compute with 16 bits on this {} ({}); use --precision single",
            device.is_cuda() ? "GPU" : "processor", why.substr(0, why.find('\n'))));
    }
}

std::string torch_description() {
    return fmt::format("LibTorch {}.{}.{}{}", TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH,
                       torch::cuda::is_available() ? fmt::format(", {} GPUs", torch::cuda::device_count()) : "");
}

}  // namespace neumann
