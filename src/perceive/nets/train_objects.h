// Teaches the networks that find objects.
#pragma once

#include "perceive/component.h"

namespace neumann {

TrainingOutcome train_object_network(const ObjectTraining& request, TrainingListener& listener);

}  // namespace neumann
