// Data augmentation: variation of camera, light and file quality.
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace neumann {

// The range of variation of images (values from −1 to 1), each drawn independently.
struct AugmentOptions {
    double contrast = 0.15;
    double brightness = 0.08;
    double cast = 0.025;   // of each colour channel
    double mixed = 0;      // how much of each channel may go into each other one: other reds, other blues
    double blurred = 0.5;  // the share of images that are blurred, 3×3
    double noise = 0.02;   // the most, as a standard deviation
};

// batch × 3 × height × width; the generator decides.
torch::Tensor augmented(torch::Tensor pictures, const AugmentOptions& options, torch::Generator& chance);

}  // namespace neumann
