// Learned relations: the probability that a relation holds is a logistic function of one geometric feature of object
// vectors. Two numbers for each relation, which can be learned (train_predicates.h) and kept in a file.
#pragma once

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor_file.h"
#include "valuation/object_vectors.h"
#include "valuation/valuation_registry.h"

namespace neumann {

struct LogisticFunction {
    double weight = 0;
    double bias = 0;

    double operator()(double feature) const { return 1 / (1 + std::exp(-(weight * feature + bias))); }
    double threshold() const { return -bias / weight; }  // where it is ½
};

// A relation in one layout: flat.closeby, solid.left_of.
struct LayoutRelation {
    const ObjectLayout* layout = nullptr;
    const ValuationFunction* relation = nullptr;

    std::string name() const;
};

// All that have weights. Relations that solid objects do not have are there for flat ones only.
std::vector<LayoutRelation> layout_relations();

class PredicateWeights {
public:
    PredicateWeights();  // as published, in either layout

    // Tensors of shape [2], weight and bias, named as in LayoutRelation::name(). Relations that the file lacks stay as
    // published; unknown names are refused. Throws PerceptionError.
    static PredicateWeights read(const TensorFile& file);
    // Throws FileError.
    void write(const std::filesystem::path& path) const;

    // Null: the layout does not have this relation.
    const LogisticFunction* find(const ObjectLayout& layout, std::string_view relation) const;
    // Throws std::invalid_argument where there is none.
    void set(const ObjectLayout& layout, std::string_view relation, const LogisticFunction& function);

private:
    std::map<std::string, LogisticFunction, std::less<>> functions_;
};

}  // namespace neumann
