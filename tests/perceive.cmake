# A component without LibTorch, for tests of everything around networks.
add_library(fake_perception MODULE fake_perception.cpp ${PROJECT_SOURCE_DIR}/src/valuation/object_vectors.cpp)
target_include_directories(fake_perception PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(fake_perception PRIVATE NEUMANN_VERSION="${PROJECT_VERSION}")
target_link_libraries(fake_perception PRIVATE neumann_options)

add_test(NAME perceive COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/perceive_test.py
         $<TARGET_FILE:neumann_command> $<TARGET_FILE:fake_perception> ${PROJECT_SOURCE_DIR}/examples)
set_tests_properties(perceive PROPERTIES LABELS e2e)

if(TARGET neumann_nets)
  add_executable(nets_tests nets/baselines_test.cpp nets/nets_test.cpp)
  target_link_libraries(nets_tests PRIVATE neumann_nets GTest::gtest_main neumann_options)
  gtest_discover_tests(nets_tests PROPERTIES LABELS nets DISCOVERY_TIMEOUT 120)
  add_test(NAME bundled_networks COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bundled_networks_test.py
           $<TARGET_FILE:neumann_command> ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/../shared/data)
  set_tests_properties(bundled_networks PROPERTIES LABELS "nets;e2e")
endif()
