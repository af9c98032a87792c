# Programs that generated data sets come with.
foreach(program kandinsky/twopairs kandinsky/closeby kandinsky/red_triangle kandinsky/online_pair kandinsky/long_line
                clevr_hans/class0 lists/member lists/delete lists/sort lists/is_sorted lists/append lists/reverse
                behind_the_scenes/questions)
  set(file ${PROJECT_SOURCE_DIR}/examples/${program}.nm)
  file(READ ${file} text)
  string(APPEND NEUMANN_BUNDLED "    {\"${program}.nm\", R\"bundled(${text})bundled\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(datasets/bundled_programs.cpp.in bundled_programs.cpp @ONLY)
target_sources(neumann_datasets PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/bundled_programs.cpp)
