# The component is loaded when it is first asked for; both sides must be of one version.
target_link_libraries(neumann_perceive PUBLIC ${CMAKE_DL_LIBS})
set_property(SOURCE perceive/component.cpp perceive/nets/component.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_VERSION="${PROJECT_VERSION}")
set_property(SOURCE perceive/component.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}/neumann")
set_property(SOURCE perceive/weights_folder.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NEUMANN_SOURCE_WEIGHTS="${PROJECT_SOURCE_DIR}/weights")
