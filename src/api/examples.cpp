#include <neumann/examples.h>

#include "runtime/json_examples.h"
#include "runtime/with_errors.h"

namespace neumann {

std::unique_ptr<ExampleSource> open_examples(const std::string& path) {
    return with_errors([&] { return std::make_unique<JsonExamples>(path); });
}

}  // namespace neumann
