// Devices by name: processor and GPUs.
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "perceive/component.h"

namespace neumann {

unsigned thread_count(const DeviceOptions& options);  // 0 stands for all threads of the machine

// Sets the number of threads as well. Throws PerceptionError for a device that is not there.
torch::Device open_device(const DeviceOptions& options);

// The device's own generator, begun anew.
torch::Generator device_generator(const torch::Device& device, std::uint64_t seed);

// While it lives, operations that gain from it use 16 bits: products and convolutions. Learned parameters keep their
// precision.
class HalfPrecision {
public:
    HalfPrecision(const torch::Device& device, bool on);
    ~HalfPrecision();
    HalfPrecision(const HalfPrecision&) = delete;
    HalfPrecision& operator=(const HalfPrecision&) = delete;

private:
    torch::DeviceType device_;
    bool on_;
};

// Throws PerceptionError where the device cannot compute, or not learn, with 16 bits: some processors cannot.
void require_half_precision(const torch::Device& device);

std::string torch_description();

}  // namespace neumann
