# What a static libneumann still has to be linked with; its header-only libraries are compiled in.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(simdjson)
include(${CMAKE_CURRENT_LIST_DIR}/neumannTargets.cmake)
