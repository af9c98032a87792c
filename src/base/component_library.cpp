#include "base/component_library.h"

#include <cstdlib>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/own_place.h"

namespace neumann {
namespace {

std::filesystem::path find_component(const ComponentLibrary::Place& place) {
    std::error_code ignored;
    if (const char* given = std::getenv(place.variable); given != nullptr && *given != '\0') {
        if (!std::filesystem::exists(given, ignored))
            throw ComponentError(fmt::format("{} names '{}', and there is no such file", place.variable, given));
        return std::filesystem::absolute(given);  // dlopen would search a name without a slash in the library path
    }
    const std::filesystem::path here = folder_of_command();
    const std::filesystem::path installed = here.parent_path() / place.folder;
    for (const std::filesystem::path& one : {here / place.file, installed / place.file}) {
        if (std::filesystem::exists(one, ignored)) return one;
    }
    throw ComponentError(
        fmt::format("{}\n  {} is neither in {} nor in {}", place.lack, place.file, here.string(), installed.string()));
}

}  // namespace

ComponentLibrary::ComponentLibrary(const Place& place)
    : path_(find_component(place)), library_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ != nullptr) return;
    const char* why = dlerror();
    throw ComponentError(fmt::format("cannot load {}: {}", place.what, why == nullptr ? "unknown reason" : why));
}

void* ComponentLibrary::symbol(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr)
        throw ComponentError(fmt::format("'{}' is no component of neumann: it has no {}", path_.string(), name));
    return found;
}

void ComponentLibrary::require_version(std::string_view version, std::string_view own) const {
    if (version != own)
        throw ComponentError(fmt::format("'{}' is of version {}, this command of version {}: build both again",
                                         path_.string(), version, own));
}

}  // namespace neumann
