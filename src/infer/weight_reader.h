// Weights of a network by name, from a file that is checked: all are there, of the right shape, and no others.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/tensor_file.h"

namespace neumann::infer {

class WeightReader {
public:
    explicit WeightReader(const TensorFile& file) : file_(file) {}

    // Throws PerceptionError if there is no such tensor or if its shape differs.
    std::span<const float> take(const std::string& name, const std::vector<std::int64_t>& shape);
    // Throws PerceptionError for a tensor that was not taken.
    void require_all_taken() const;

private:
    const TensorFile& file_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace neumann::infer
