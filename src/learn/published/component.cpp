#include "learn/published/component.h"

#include "base/component_library.h"

namespace neumann {
namespace {

PublishedComponent* load_published() {
    const ComponentLibrary library(
        {.file = "libneumann_published.so",
         .folder = NEUMANN_LIBRARY_FOLDER,
         .variable = "NEUMANN_PUBLISHED_LIBRARY",
         .what = "the component of published algorithms",
         .lack = "this build has no published algorithms: build them with 'cmake --build build --target "
                 "neumann_published', or choose auto, search or gradient; docs/learning.md"});
    library.require_version(library.function<PublishedVersionFunction>("neumann_published_version")(),
                            published_version);
    return library.function<PublishedComponentFunction>("neumann_published_component")();
}

}  // namespace

PublishedComponent& published_component() {
    static PublishedComponent* const component = load_published();
    return *component;
}

}  // namespace neumann
