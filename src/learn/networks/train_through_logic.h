// Training through logic: a network learns an attribute from labels of whole images, and a program connects the
// network's outputs with the labels.
#pragma once

#include <filesystem>

#include <neumann/train.h>

#include "base/diagnostics.h"
#include "ground/compiled_program.h"

namespace neumann {

// Compiles a program for its labels: everything that they do not depend on is left out. Returns false if diagnostics
// has errors; the program's sources are set in any case.
bool compile_for_labels(const std::filesystem::path& path, Diagnostics& diagnostics, LoadedProgram& result);

// The program has one label, to which the labels refer; it stays unchanged. Writes the weights. Throws
// std::invalid_argument, ValuationError for an unsuitable program, PerceptionError, SceneError, FileError.
LogicTrainingOutcome train_through_logic(LoadedProgram& program, const LogicTraining& request,
                                         TrainingListener& listener);

}  // namespace neumann
