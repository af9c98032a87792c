# Not part of the library: what scenes are for is reached through files.
neumann_stage(scene
  SOURCES camera.cpp clevr_hans.cpp clevr_list.cpp dataset.cpp dataset_files.cpp draw_figure.cpp figure_json.cpp geometry_of_relations.cpp json_fields.cpp
          kandinsky.cpp kandinsky_layout.cpp kandinsky_patterns.cpp kandinsky_rules.cpp place_objects.cpp png.cpp questions.cpp
          scene_json.cpp trace.cpp trace_baseline.cpp trace_job.cpp trace_samples.cpp trace_scalar.cpp trace_screen.cpp trace_world.cpp training_scenes.cpp relation_samples.cpp valuation.cpp valuation_registry.cpp visible.cpp
  USES logic base)
target_link_libraries(neumann_scene PRIVATE nlohmann_json::nlohmann_json PNG::PNG)
neumann_kernels(scene trace_)
set_source_files_properties(scene/trace_scalar.cpp PROPERTIES COMPILE_OPTIONS "-ffp-contract=off")
# With these checks GCC 12 computes other pictures from the same kernels, even without optimisation; clang, with and without
# its own, agrees with GCC's unchecked code and finds nothing.
if(NEUMANN_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_property(SOURCE scene/trace_baseline.cpp scene/trace_avx2.cpp scene/trace_avx512.cpp scene/trace_scalar.cpp APPEND PROPERTY COMPILE_OPTIONS
               -fno-sanitize=shift,signed-integer-overflow,integer-divide-by-zero)
endif()
if(NEUMANN_CUDA)
  # Apart from the rest, for the sake of its options: our warnings are not nvcc's. No contraction here either.
  add_library(neumann_scene_cuda OBJECT scene/trace_cuda.cu)
  target_include_directories(neumann_scene_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(neumann_scene_cuda PRIVATE --expt-relaxed-constexpr -fmad=false)
  target_sources(neumann_scene PRIVATE $<TARGET_OBJECTS:neumann_scene_cuda>)
  target_compile_definitions(neumann_scene PUBLIC NEUMANN_CUDA=1)
  target_link_libraries(neumann_scene PUBLIC CUDA::cudart_static)
else()
  target_sources(neumann_scene PRIVATE scene/trace_cuda_none.cpp)
endif()
