# The path tracer: one source for each set of instructions, and for CUDA.
neumann_kernels(render trace_)
# With these checks GCC 12 computes other pictures from the same kernels, even without optimisation; clang, with and without
# its own, agrees with GCC's unchecked code and finds nothing.
if(NEUMANN_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_property(SOURCE render/trace_baseline.cpp render/trace_avx2.cpp render/trace_avx512.cpp render/trace_scalar.cpp APPEND PROPERTY COMPILE_OPTIONS
               -fno-sanitize=shift,signed-integer-overflow,integer-divide-by-zero)
endif()
if(NEUMANN_CUDA)
  # Apart from the rest, for the sake of its options: our warnings are not nvcc's. No contraction here either.
  add_library(neumann_render_cuda OBJECT render/trace_cuda.cu)
  target_include_directories(neumann_render_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(neumann_render_cuda PRIVATE --expt-relaxed-constexpr -fmad=false)
  target_sources(neumann_render PRIVATE $<TARGET_OBJECTS:neumann_render_cuda>)
  target_compile_definitions(neumann_render PUBLIC NEUMANN_CUDA=1)
  target_link_libraries(neumann_render PUBLIC CUDA::cudart_static)
else()
  target_sources(neumann_render PRIVATE render/trace_cuda_none.cpp)
  # An object of its own, which scripts/build_with_pytorch.sh can do without.
  set_source_files_properties(render/trace_cuda_none.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()
