#include "reason/cuda/component.h"

#include <fmt/format.h>

#include "base/component_library.h"
#include "reason/cuda/version.h"
#include "reason/reason_error.h"

namespace neumann {
namespace {

CardDevice& load_card() try {
    const ComponentLibrary library(
        {.file = "libneumann_cuda.so",
         .folder = NEUMANN_LIBRARY_FOLDER,
         .variable = "NEUMANN_CUDA_LIBRARY",
         .what = "reasoning on cards",
         .lack = "this build does not reason on graphics cards: install CUDA (nvcc) and build again"});
    library.require_version(library.function<CardVersionFunction>("neumann_card_version")(), card_version);
    CardDevice* const device = library.function<CardDeviceFunction>("neumann_card_device")();
    if (device == nullptr)
        throw ReasonError(fmt::format("there is no graphics card to reason on: {}",
                                      library.function<CardFailureFunction>("neumann_card_failure")()));
    return *device;
} catch (const ComponentError& error) {
    throw ReasonError(error.what());
}

CardDevice* given_device = nullptr;

}  // namespace

CardDevice& card_device() {
    if (given_device != nullptr) return *given_device;
    static CardDevice& device = load_card();
    return device;
}

void use_card_device(CardDevice* device) { given_device = device; }

}  // namespace neumann
