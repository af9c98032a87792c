#include "reason/cuda/component.h"

#include <atomic>

#include <fmt/format.h>

#include "base/component_library.h"
#include "reason/cuda/card_error.h"
#include "reason/cuda/version.h"

namespace neumann {
namespace {

// Found once: what is not there then, will not be.
struct LoadedCard {
    CardDevice* device = nullptr;
    std::string problem;  // why there is none
};

LoadedCard load_card() try {
    const ComponentLibrary library({.file = "libneumann_cuda.so",
                                    .folder = NEUMANN_LIBRARY_FOLDER,
                                    .variable = "NEUMANN_CUDA_LIBRARY",
                                    .what = "reasoning on cards",
                                    .lack = "this build does not reason on graphics cards: install CUDA (nvcc) and "
                                            "build again, or leave out --device cuda"});
    library.require_version(library.function<CardVersionFunction>("neumann_card_version")(), card_version);
    if (CardDevice* const device = library.function<CardDeviceFunction>("neumann_card_device")(); device != nullptr)
        return {device, {}};
    return {nullptr, fmt::format("there is no graphics card to reason on: {}; leave out --device cuda",
                                 library.function<CardFailureFunction>("neumann_card_failure")())};
} catch (const ComponentError& error) {
    return {nullptr, error.what()};
}

std::atomic<bool> looked_for{false};

const LoadedCard& loaded_card() {
    static const LoadedCard card = load_card();
    looked_for = true;
    return card;
}

CardDevice* given_device = nullptr;

}  // namespace

CardDevice* find_card_device() { return given_device != nullptr ? given_device : loaded_card().device; }

bool card_started() { return given_device != nullptr || (looked_for && loaded_card().device != nullptr); }

CardDevice& card_device() {
    if (CardDevice* const device = find_card_device(); device != nullptr) return *device;
    throw CardError(loaded_card().problem);
}

void use_card_device(CardDevice* device) { given_device = device; }

}  // namespace neumann
