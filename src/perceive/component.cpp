#include "perceive/component.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/component_library.h"
#include "perceive/version.h"

namespace neumann {
namespace {

PerceptionComponent* load() try {
    // Threads that wait by spinning bring a machine with other work to a standstill. A value set by the user is kept.
    setenv("OMP_WAIT_POLICY", "passive", 0);
    const ComponentLibrary library(
        {.file = "libneumann_perception.so",
         .folder = NEUMANN_LIBRARY_FOLDER,
         .variable = perception_variable,
         .what = "perception",
         .lack =
             "this build cannot train networks or run them on a GPU: NEUMANN_TRAINING=ON make build; docs/perception.md"});
    library.require_version(library.function<PerceptionVersionFunction>("neumann_perception_version")(),
                            perception_version);
    PerceptionComponent* const component =
        library.function<PerceptionComponentFunction>("neumann_perception_component")();
    if (component == nullptr) throw PerceptionError(fmt::format("'{}' could not be started", library.path().string()));
    return component;
} catch (const ComponentError& error) {
    throw PerceptionError(error.what());
}

}  // namespace

PerceptionComponent& perception_component() {
    static PerceptionComponent* const component = load();
    return *component;
}

}  // namespace neumann
