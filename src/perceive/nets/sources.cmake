# Training, and networks on a GPU: a library that the command loads when it is asked for these. Torch's headers are in these files alone.
if(NEUMANN_TRAINING AND Torch_FOUND)
  add_library(neumann_nets OBJECT
    perceive/nets/augment.cpp perceive/nets/baseline_inputs.cpp perceive/nets/baseline_measure.cpp
    perceive/nets/baselines.cpp perceive/nets/component.cpp perceive/nets/decode.cpp perceive/nets/device.cpp
    perceive/nets/flat_parameters.cpp perceive/nets/labelled_pictures.cpp perceive/nets/losses.cpp
    perceive/nets/network_perceiver.cpp perceive/nets/networks.cpp perceive/nets/tensors.cpp
    perceive/nets/train_baseline.cpp perceive/nets/train_objects.cpp)
  target_link_libraries(neumann_nets PUBLIC neumann_perceive ${TORCH_LIBRARIES} PRIVATE neumann_options)
  # Torch's headers take longer than our sources: read twice, or once and precompiled, instead of nine times.
  if(NEUMANN_UNITY)
    neumann_in_batches(neumann_nets 7)
  else()
    target_precompile_headers(neumann_nets PRIVATE <torch/torch.h>)
  endif()
  add_library(neumann_perception MODULE)
  target_link_libraries(neumann_perception PRIVATE neumann_nets neumann_options)
  set_target_properties(neumann_perception PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  install(TARGETS neumann_perception LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/neumann COMPONENT training)
endif()
