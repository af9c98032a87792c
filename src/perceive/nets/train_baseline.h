// Training of the baselines, the networks that predict an image's class without logic.
#pragma once

#include "perceive/component.h"

namespace neumann {

// The same request gives the same numbers on the processor, with the same number of threads.
BaselineOutcome train_baseline_network(const BaselineTraining& request, TrainingListener& listener);

}  // namespace neumann
