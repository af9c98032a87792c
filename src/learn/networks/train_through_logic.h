// Training through logic: a network learns an attribute from labels of whole examples, and a program connects the
// network's outputs with the labels.
#pragma once

#include <filesystem>

#include <neumann/train.h>

namespace neumann {

// The program stays unchanged. Writes the weights. Throws Error for an unsuitable program or example, PerceptionError,
// SceneError, FileError.
LogicTrainingOutcome run_logic_training(const std::filesystem::path& program, const LogicTraining& request,
                                        TrainingListener& listener);

}  // namespace neumann
