# What perception needs beside networks: files of weights and pictures, object vectors, neural predicates. No LibTorch.
neumann_stage(perceive
  SOURCES assignment.cpp jpeg.cpp object_vectors.cpp pictures.cpp resized.cpp tensor_file.cpp tensor_header.cpp
          component.cpp look_ahead.cpp looked_examples.cpp network_choice.cpp own_place.cpp picture_examples.cpp picture_kind.cpp
          seen_cache.cpp weights_folder.cpp
          picture_pool.cpp predicates.cpp scene_of.cpp score.cpp soft_valuation.cpp train_predicates.cpp
  USES scene)
target_link_libraries(neumann_perceive PRIVATE nlohmann_json::nlohmann_json JPEG::JPEG)
# The component is loaded when it is first asked for; both sides must be of one version.
target_link_libraries(neumann_perceive PUBLIC ${CMAKE_DL_LIBS})
target_compile_definitions(neumann_perceive PUBLIC NEUMANN_VERSION="${PROJECT_VERSION}")
set_property(SOURCE perceive/component.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}/neumann")
set_property(SOURCE perceive/weights_folder.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_SOURCE_WEIGHTS="${PROJECT_SOURCE_DIR}/weights")
