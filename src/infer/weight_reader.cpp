#include "infer/weight_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "valuation/object_vectors.h"

namespace neumann::infer {

std::span<const float> WeightReader::take(const std::string& name, const std::vector<std::int64_t>& shape) {
    taken_.insert(name);
    const StoredTensor* found = file_.find(name);
    if (found == nullptr)
        throw PerceptionError(fmt::format("{}: there is no tensor '{}', which this network needs", file_.name(), name));
    if (found->shape != shape)
        throw PerceptionError(fmt::format("{}: tensor '{}' has the shape [{}]; this network needs [{}]", file_.name(),
                                          name, fmt::join(found->shape, ", "), fmt::join(shape, ", ")));
    return found->values;
}

void WeightReader::require_all_taken() const {
    for (const StoredTensor& tensor : file_.tensors())
        if (!taken_.contains(tensor.name))
            throw PerceptionError(
                fmt::format("{}: tensor '{}' belongs to no part of this network", file_.name(), tensor.name));
}

}  // namespace neumann::infer
