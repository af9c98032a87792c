// Counts of models: as the Model Counting Competition prints them, and as JSON.
#pragma once

#include <string>

#include <neumann/convert.h>

namespace neumann {

std::string model_count_text(const ModelCount& found);
std::string model_count_json(const ModelCount& found);

}  // namespace neumann
