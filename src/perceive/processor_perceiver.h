// Object networks on the processor as perceivers: several images side by side, one thread each.
#pragma once

#include <memory>

#include "base/tensor_file.h"
#include "perceive/perceiver.h"

namespace neumann {

// `threads` 0: all threads of the machine. Throws PerceptionError where the weights are of no network that is known.
std::unique_ptr<Perceiver> open_on_processor(const TensorFile& weights, unsigned threads);

}  // namespace neumann
