# neumann::neumann, an archive, and neumann::neumann_shared. What the archive still has to be linked with; header-only
# libraries are compiled in.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(simdjson)
find_dependency(PNG)
find_dependency(ZLIB)
find_dependency(JPEG)
include(${CMAKE_CURRENT_LIST_DIR}/neumannTargets.cmake)
