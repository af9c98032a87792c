# Reasoning on GPUs: a library that the command loads when it is asked for one, so that nothing else needs CUDA.
# Compiled where nvcc is found, by `make build` alone: it takes minutes.
target_link_libraries(neumann_reason PUBLIC ${CMAKE_DL_LIBS})
set_property(SOURCE reason/gpu/component.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_VERSION="${PROJECT_VERSION}" NEUMANN_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}/neumann")
option(NEUMANN_CUDA_ENGINE "Reason on GPUs, too, where nvcc is found" ON)
find_program(NVCC nvcc PATHS /usr/local/cuda/bin)
if(NEUMANN_CUDA_ENGINE AND NVCC)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "")
  endif()
  # No contraction: multiplications and additions are fused where the source says so. Numbers too small for full precision
  # are 0, as on the processor.
  set(neumann_cuda_library ${PROJECT_BINARY_DIR}/libneumann_cuda.so)
  file(GLOB neumann_cuda_headers CONFIGURE_DEPENDS reason/gpu/*.h reason/kernels/*.h reason/semantics/*.h)
  set(compile_for_gpu ${NVCC} -std=c++20 -O3 --expt-relaxed-constexpr -arch=sm_${CMAKE_CUDA_ARCHITECTURES} -ftz=true
      -fmad=false -Xcompiler -fPIC -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
      -DNEUMANN_VERSION="${PROJECT_VERSION}")
  # Each semantics by itself, side by side: nvcc's own way of compiling in parts keeps values in memory.
  set(neumann_cuda_objects)
  file(GLOB semantics_headers CONFIGURE_DEPENDS reason/semantics/*.h)
  foreach(header ${semantics_headers})
    file(STRINGS ${header} registered REGEX "^struct RegisteredSemantics<[0-9]+>")
    if(NOT registered MATCHES "<([0-9]+)>")
      continue()
    endif()
    set(number ${CMAKE_MATCH_1})
    set(object ${PROJECT_BINARY_DIR}/cuda_works_${number}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${compile_for_gpu} -DNEUMANN_CARD_SEMANTICS=${number} -c -o ${object}
              ${CMAKE_CURRENT_SOURCE_DIR}/reason/gpu/cuda_works.cu
      DEPENDS reason/gpu/cuda_works.cu ${neumann_cuda_headers} base/lane.h
      COMMENT "Compiling the steps of semantics ${number} for GPUs" VERBATIM)
    list(APPEND neumann_cuda_objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${neumann_cuda_library}
    COMMAND ${compile_for_gpu} -shared -cudart static -o ${neumann_cuda_library}
            ${CMAKE_CURRENT_SOURCE_DIR}/reason/gpu/cuda_device.cu ${neumann_cuda_objects}
    DEPENDS reason/gpu/cuda_device.cu ${neumann_cuda_headers} base/lane.h ${neumann_cuda_objects}
    COMMENT "Compiling what runs on GPUs" VERBATIM)
  add_custom_target(neumann_cuda DEPENDS ${neumann_cuda_library})
  install(FILES ${neumann_cuda_library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/neumann COMPONENT cuda OPTIONAL)
endif()
