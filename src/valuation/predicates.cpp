#include "valuation/predicates.h"

#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr std::string_view file_kind = "predicates";

std::string name_of(const ObjectLayout& layout, std::string_view relation) {
    return fmt::format("{}.{}", layout.name, relation);
}

}  // namespace

std::string LayoutRelation::name() const { return name_of(*layout, relation->name); }

std::vector<LayoutRelation> layout_relations() {
    std::vector<LayoutRelation> all;
    for (const ObjectLayout* layout : {&flat_layout(), &solid_layout()}) {
        for (const ValuationFunction& function : valuation_functions()) {
            if (function.kind != ValuationFunction::Kind::Relation) continue;
            if (function.relation.flat_only && !layout->flat()) continue;
            all.push_back({layout, &function});
        }
    }
    return all;
}

PredicateWeights::PredicateWeights() {
    for (const LayoutRelation& each : layout_relations()) {
        const RelationFunction& published = each.relation->relation;
        functions_[each.name()] = {published.slope, -published.slope * published.threshold};
    }
}

PredicateWeights PredicateWeights::read(const TensorFile& file) {
    if (file.metadata("kind") != file_kind) {
        throw PerceptionError(
            fmt::format("{}: holds weights of kind '{}', not '{}'", file.name(), file.metadata("kind"), file_kind));
    }
    PredicateWeights weights;
    for (const StoredTensor& tensor : file.tensors()) {
        const auto found = weights.functions_.find(tensor.name);
        if (found == weights.functions_.end()) {
            throw PerceptionError(fmt::format("{}: '{}' is no relation that is known", file.name(), tensor.name));
        }
        if (tensor.shape != std::vector<std::int64_t>{2} || tensor.values[0] == 0) {
            throw PerceptionError(
                fmt::format("{}: '{}' is not a weight other than 0 and a bias", file.name(), tensor.name));
        }
        found->second = {tensor.values[0], tensor.values[1]};
    }
    return weights;
}

void PredicateWeights::write(const std::filesystem::path& path) const {
    std::vector<StoredTensor> tensors;
    for (const auto& [name, function] : functions_) {
        tensors.push_back({name, {2}, {static_cast<float>(function.weight), static_cast<float>(function.bias)}});
    }
    write_tensor_file(path, tensors, {{"kind", std::string(file_kind)}});
}

const LogisticFunction* PredicateWeights::find(const ObjectLayout& layout, std::string_view relation) const {
    const auto found = functions_.find(name_of(layout, relation));
    return found == functions_.end() ? nullptr : &found->second;
}

void PredicateWeights::set(const ObjectLayout& layout, std::string_view relation, const LogisticFunction& function) {
    const auto found = functions_.find(name_of(layout, relation));
    if (found == functions_.end()) throw std::invalid_argument(name_of(layout, relation) + " has no weights");
    found->second = function;
}

}  // namespace neumann
