// Version of the perception component, which must match: the project's version and the number of the interface, which
// grows whenever PerceptionComponent, Perceiver or SeenObjects changes.
#pragma once

namespace neumann {

inline constexpr const char* perception_version = NEUMANN_VERSION " interface 4";

}  // namespace neumann
