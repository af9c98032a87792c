#include "reason/cuda/component.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/own_place.h"
#include "reason/cuda/version.h"
#include "reason/reason_error.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr const char* card_library = "libneumann_cuda.so";

fs::path find_card_library() {
    std::error_code ignored;
    if (const char* given = std::getenv("NEUMANN_CUDA_LIBRARY"); given != nullptr && *given != '\0') {
        if (!fs::exists(given, ignored))
            throw ReasonError(fmt::format("NEUMANN_CUDA_LIBRARY names '{}', and there is no such file", given));
        return fs::absolute(given);  // a name without a slash would be looked for elsewhere
    }
    const fs::path here = folder_of_command();
    const fs::path installed = here.parent_path() / NEUMANN_LIBRARY_FOLDER;
    for (const fs::path& place : {here / card_library, installed / card_library}) {
        if (fs::exists(place, ignored)) return place;
    }
    throw ReasonError(fmt::format("this build does not reason on graphics cards: install CUDA (nvcc) and build again\n"
                                  "  {} is neither in {} nor in {}",
                                  card_library, here.string(), installed.string()));
}

template <class Function>
Function* card_function(void* library, const fs::path& path, const char* name) {
    void* const found = dlsym(library, name);
    if (found == nullptr)
        throw ReasonError(fmt::format("'{}' is no component of neumann: it has no {}", path.string(), name));
    return reinterpret_cast<Function*>(found);
}

CardDevice& load_card() {
    const fs::path path = find_card_library();
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: a pass may outlive all else
    if (library == nullptr) {
        const char* why = dlerror();
        throw ReasonError(fmt::format("cannot load reasoning on cards: {}", why == nullptr ? "unknown reason" : why));
    }
    const std::string version = card_function<CardVersionFunction>(library, path, "neumann_card_version")();
    if (version != card_version)
        throw ReasonError(fmt::format("'{}' is of version {}, this command of version {}: build both again",
                                      path.string(), version, card_version));
    CardDevice* const device = card_function<CardDeviceFunction>(library, path, "neumann_card_device")();
    if (device == nullptr)
        throw ReasonError(fmt::format("there is no graphics card to reason on: {}",
                                      card_function<CardFailureFunction>(library, path, "neumann_card_failure")()));
    return *device;
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
