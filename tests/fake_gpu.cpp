// A component with an emulated GPU, for tests of the command: what it does on GPUs, and where they fail.
#include <cstdlib>
#include <string>

#include "reason/gpu/component.h"
#include "reason/gpu/version.h"
#include "unit/emulated_gpu.h"

namespace {

const char* given(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

extern "C" {

const char* neumann_gpu_version() {
    const char* const other = given("FAKE_CARD_VERSION");
    return *other == '\0' ? neumann::gpu_version : other;
}

neumann::GpuDevice* neumann_gpu_device() {
    if (*given("FAKE_CARD_MISSING") != '\0') return nullptr;
    static neumann::EmulatedGpu gpu;
    if (const char* const bytes = given("FAKE_CARD_MEMORY"); *bytes != '\0') gpu.memory = std::stoull(bytes);
    if (const char* const calls = given("FAKE_CARD_CALLS"); *calls != '\0') gpu.calls_left = std::stoull(calls);
    return &gpu;
}

const char* neumann_gpu_failure() { return given("FAKE_CARD_MISSING"); }
}
