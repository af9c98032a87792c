// A page loads no shared libraries: there are neither networks nor graphics cards.
#include "base/component_library.h"

#include <string>

namespace neumann {

ComponentLibrary::ComponentLibrary(const Place& place) : library_(nullptr) {
    throw ComponentError(std::string(place.what) + " is not part of the page");
}

void* ComponentLibrary::symbol(const char* /*name*/) const { return library_; }

void ComponentLibrary::require_version(std::string_view /*version*/, std::string_view /*own*/) const {}

}  // namespace neumann
