#include "perceive/component.h"

#include <cstdlib>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/own_place.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libneumann_perception.so";

fs::path find_library() {
    std::error_code ignored;
    if (const char* given = std::getenv("NEUMANN_PERCEPTION_LIBRARY"); given != nullptr && *given != '\0') {
        if (!fs::exists(given, ignored))
            throw PerceptionError(
                fmt::format("NEUMANN_PERCEPTION_LIBRARY names '{}', and there is no such file", given));
        return fs::absolute(given);  // a name without a slash would be looked for elsewhere
    }
    const fs::path here = folder_of_command();
    const fs::path installed = here.parent_path() / NEUMANN_LIBRARY_FOLDER;
    for (const fs::path& place : {here / library_name, installed / library_name}) {
        if (fs::exists(place, ignored)) return place;
    }
    throw PerceptionError(
        fmt::format("this build has no perception: install libtorch-dev and build again; docs/perception.md\n"
                    "  {} is neither in {} nor in {}",
                    library_name, here.string(), installed.string()));
}

std::string last_error() {
    const char* text = dlerror();
    return text == nullptr ? "unknown reason" : text;
}

template <class Function>
Function* find_function(void* library, const fs::path& path, const char* name) {
    void* const found = dlsym(library, name);
    if (found == nullptr)
        throw PerceptionError(fmt::format("'{}' is no component of neumann: it has no {}", path.string(), name));
    return reinterpret_cast<Function*>(found);
}

PerceptionComponent* load() {
    const fs::path path = find_library();
    // Threads that wait by spinning bring a machine with other work to a standstill. Whoever set it knows better.
    setenv("OMP_WAIT_POLICY", "passive", 0);
    // Never closed: what it has made may live to the end of the process.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw PerceptionError(fmt::format("cannot load perception: {}", last_error()));
    const std::string version = find_function<PerceptionVersionFunction>(library, path, "neumann_perception_version")();
    if (version != perception_version)
        throw PerceptionError(fmt::format("'{}' is of version {}, this command of version {}: build both again",
                                          path.string(), version, perception_version));
    PerceptionComponent* const component =
        find_function<PerceptionComponentFunction>(library, path, "neumann_perception_component")();
    if (component == nullptr) throw PerceptionError(fmt::format("'{}' could not be started", path.string()));
    return component;
}

}  // namespace

PerceptionComponent& perception_component() {
    static PerceptionComponent* const component = load();
    return *component;
}

}  // namespace neumann
