// Training of the networks that detect objects.
#pragma once

#include "perceive/component.h"

namespace neumann {

TrainingOutcome train_object_network(const ObjectTraining& request, TrainingListener& listener);

}  // namespace neumann
