# Published learning algorithms are a component of the experiments (experiments/algorithms), loaded on first use. It shares
# objects with the library and `make build` does not renew it, so both have a version with a digest of all headers.
if(CMAKE_SCRIPT_MODE_FILE)  # writes OUTPUT
  file(GLOB_RECURSE headers ${ROOT}/src/*.h ${ROOT}/include/*.h)
  foreach(header ${headers})
    file(SHA1 ${header} one)
    string(APPEND all ${one})
  endforeach()
  string(SHA1 digest "${all}")
  string(SUBSTRING ${digest} 0 12 digest)
  file(WRITE ${OUTPUT} "#include \"learn/published/component.h\"\n\n"
    "const char* const neumann::published_version = \"${VERSION} headers ${digest}\";\n")
  return()
endif()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/include/*.h)
set(version ${CMAKE_CURRENT_BINARY_DIR}/published_version.cpp)
add_custom_command(OUTPUT ${version} DEPENDS ${headers} VERBATIM
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version}
          -P ${CMAKE_CURRENT_LIST_FILE})
target_sources(neumann_learn PRIVATE ${version})
set_property(SOURCE learn/published/component.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}/neumann")
