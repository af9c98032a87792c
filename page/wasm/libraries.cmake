# What the library is made of where it is compiled to WebAssembly: headers of Debian's packages that need nothing compiled,
# and what stands in for the others. Debian's Emscripten brings an older standard library, whose gaps newer_library.h fills.
set(headers ${PROJECT_BINARY_DIR}/headers)  # a folder of their own: all of /usr/include would hide Emscripten's
file(MAKE_DIRECTORY ${headers})
foreach(name fmt nlohmann xsimd xxhash.h xxh3.h)
  find_path(NEUMANN_HEADERS_OF_${name} ${name} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${NEUMANN_HEADERS_OF_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()
set(XSIMD_INCLUDE_DIR ${headers})

include_directories(SYSTEM ${headers} ${CMAKE_CURRENT_LIST_DIR}/library)
add_compile_definitions(FMT_HEADER_ONLY)
# Exceptions and vectors of WebAssembly itself; SSE2 is xsimd's name for the latter, which Emscripten translates.
# Sizes have 32 bits there, and no file or table of the page comes near that.
add_compile_options(-Wno-c++11-narrowing)
add_compile_options(-fwasm-exceptions -msimd128 -msse2 -include ${CMAKE_CURRENT_LIST_DIR}/library/newer_library.h)
add_link_options(-fwasm-exceptions)
foreach(name fmt::fmt nlohmann_json::nlohmann_json simdjson::simdjson ZLIB::ZLIB PNG::PNG JPEG::JPEG Threads::Threads)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
endforeach()
# Files of the stages that are of no use there. For the first of them page/wasm/platform has others in their place.
set(NEUMANN_REPLACED "base/(component_library|large_block|parallel)\\.cpp|image/(png|jpeg)\\.cpp|api/(convert|train)\\.cpp|learn/networks/train_through_logic\\.cpp|page/(apart|http_limits|page_folder|page_server|picture_answers|run_slots|site|socket_stream|waiting_connections)\\.cpp")
