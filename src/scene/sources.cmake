# Not part of the library: what scenes are for is reached through files.
neumann_stage(scene
  SOURCES camera.cpp clevr_hans.cpp clevr_list.cpp dataset.cpp dataset_files.cpp draw_figure.cpp figure_json.cpp json_fields.cpp
          kandinsky.cpp kandinsky_layout.cpp kandinsky_patterns.cpp kandinsky_rules.cpp place_objects.cpp png.cpp questions.cpp
          scene_json.cpp trace.cpp trace_baseline.cpp trace_filter.cpp trace_samples.cpp trace_world.cpp valuation.cpp
  USES logic base)
target_link_libraries(neumann_scene PRIVATE nlohmann_json::nlohmann_json PNG::PNG)
neumann_kernels(scene trace_)
# With these checks GCC 12 computes other pictures from the same kernels, even without optimisation; clang, with and without
# its own, agrees with GCC's unchecked code and finds nothing.
if(NEUMANN_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_property(SOURCE scene/trace_baseline.cpp scene/trace_avx2.cpp scene/trace_avx512.cpp APPEND PROPERTY COMPILE_OPTIONS
               -fno-sanitize=shift,signed-integer-overflow,integer-divide-by-zero)
endif()
