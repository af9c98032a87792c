// Adapters of the networks to the interfaces of the component.
#pragma once

#include <memory>

#include "perceive/component.h"

namespace neumann {

std::unique_ptr<Perceiver> open_perceiver(const TensorFile& weights, const DeviceOptions& options);
std::unique_ptr<TrainablePerceiver> open_trainable_perceiver(const TensorFile& weights, const TrainablePart& part,
                                                             const DeviceOptions& options);

}  // namespace neumann
