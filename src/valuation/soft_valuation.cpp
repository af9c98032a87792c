#include "valuation/soft_valuation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"

namespace neumann {
namespace {

using Kind = ValuationFunction::Kind;

bool is_there(const SeenObjects& seen, std::uint32_t object) {
    return object < seen.count() && seen.row(object)[column::presence] >= SoftValuation::absent_below;
}

std::string attribute_names(const ObjectLayout& layout) {
    std::vector<std::string_view> names;
    for (const AttributeColumns& attribute : layout.attributes) names.push_back(attribute.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

// The places of the objects, if all of them are there.
bool find_places(const SeenObjects& seen, std::span<const std::uint32_t> objects, std::span<RelationPlace> places) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (!is_there(seen, objects[i])) return false;
        const std::span<const float> row = seen.row(objects[i]);
        places[i] = {row[column::x], row[column::y]};
    }
    return true;
}

// The number of images that the predicate refers to, from predicate.image on: `in` names them in its second argument.
std::size_t image_count(const NeuralPredicate& predicate) {
    switch (predicate.function->kind) {
    case Kind::Presence:
        return predicate.constants[1].size();
    case Kind::Question:
        return 0;
    default:
        return 1;
    }
}

}  // namespace

SoftValuation::SoftValuation(const Signature& signature, const ObjectLayout& layout, const PredicateWeights& weights,
                             const SoftValuationOptions& options)
    : layout_(&layout), options_(options), atoms_(neural_atoms(signature)), prepared_(atoms_.predicates.size()) {
    for (std::size_t p = 0; p < prepared_.size(); ++p) {
        const NeuralPredicate& predicate = atoms_.predicates[p];
        if (predicate.function->kind == Kind::Attribute) prepare_attribute(predicate, prepared_[p]);
        if (predicate.function->kind == Kind::Relation) prepare_relation(predicate, weights, prepared_[p]);
        for (std::size_t i = 0; i < image_count(predicate); ++i) {
            const std::size_t image = predicate.image + i;
            if (image >= constants_.size()) constants_.resize(image + 1, std::numeric_limits<std::size_t>::max());
            constants_[image] = std::min(constants_[image], predicate.constants[0].size());
        }
    }
}

void SoftValuation::prepare_attribute(const NeuralPredicate& predicate, Prepared& prepared) {
    const AttributeColumns* attribute = layout_->find(predicate.function->name);
    if (attribute == nullptr) {
        throw ValuationError(
            fmt::format("the program asks for {}, which a network for {} objects does not see; it sees {}",
                        predicate.name, layout_->name, attribute_names(*layout_)));
    }
    const std::vector<std::string>& words = predicate.constants[1];
    const std::vector<std::string> values(attribute->values.begin(), attribute->values.end());
    std::vector<std::string> unknown;
    for (const std::string& word : words) {
        const auto found = std::ranges::find(attribute->values, word);
        const bool known = found != attribute->values.end();
        prepared.columns.push_back(known ? static_cast<int>(attribute->first + (found - attribute->values.begin()))
                                         : -1);
        if (!known) unknown.push_back(word);
    }
    for (const std::string& word : unknown) {
        unknown_words_.push_back(fmt::format("the network for {} objects knows no {} '{}', so what the program asks of "
                                             "it stays 0; {}",
                                             layout_->name, predicate.name, word, did_you_mean_or_list(word, values)));
    }
    if (!words.empty() && unknown.size() == words.size()) {
        throw ValuationError(
            fmt::format("the network for {} objects knows none of the program's values for {}: {}; its own are {}",
                        layout_->name, predicate.name, fmt::join(words, ", "), fmt::join(attribute->values, ", ")));
    }
}

void SoftValuation::prepare_relation(const NeuralPredicate& predicate, const PredicateWeights& weights,
                                     Prepared& prepared) const {
    const LogisticFunction* logistic = weights.find(*layout_, predicate.function->name);
    if (logistic == nullptr) {
        throw ValuationError(fmt::format("the program asks for {}, which is known for flat figures only; the network "
                                         "sees {} objects",
                                         predicate.name, layout_->name));
    }
    prepared.logistic = *logistic;
    const bool any_order = predicate.function->relation.feature->any_order;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        const std::span<const std::uint32_t> arguments = predicate.arguments_of(a);
        std::vector<std::uint32_t> sorted(arguments.begin(), arguments.end());
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end()) {
            prepared.case_of.emplace_back();
            continue;
        }
        const std::vector<std::uint32_t> objects =
            any_order ? std::move(sorted) : std::vector<std::uint32_t>(arguments.begin(), arguments.end());
        const auto [at, is_new] = known.emplace(objects, static_cast<std::uint32_t>(known.size()));
        if (is_new) prepared.cases.insert(prepared.cases.end(), objects.begin(), objects.end());
        prepared.case_of.emplace_back(at->second);
    }
}

void SoftValuation::require(const Looked& looked) const {
    for (const NeuralPredicate& predicate : atoms_.predicates) {
        if (const std::size_t count = image_count(predicate); count > 0)
            require_image(predicate, predicate.image + count - 1, looked.images.size());
    }
    for (const SeenObjects* seen : looked.images) {
        if (seen->count() > 0 && seen->layout->name != layout_->name) {
            throw std::invalid_argument(
                fmt::format("{} objects where {} ones are expected", seen->layout->name, layout_->name));
        }
    }
}

void SoftValuation::evaluate_relation(const NeuralPredicate& predicate, const Prepared& prepared,
                                      const SeenObjects& seen, std::span<double> values) {
    const std::size_t arity = predicate.arity();
    const RelationFeature& feature = *predicate.function->relation.feature;
    std::vector<RelationPlace> places(arity);
    std::vector<double> case_values(prepared.cases.size() / arity);
    for (std::size_t c = 0; c < case_values.size(); ++c) {
        if (find_places(seen, std::span(prepared.cases).subspan(c * arity, arity), places))
            case_values[c] = prepared.logistic(feature.value(places));
    }
    for (std::size_t a = 0; a < values.size(); ++a)
        values[a] = prepared.case_of[a] ? case_values[*prepared.case_of[a]] : 0;
}

void SoftValuation::differentiate_relation(const NeuralPredicate& predicate, const Prepared& prepared,
                                           const SeenObjects& seen, std::span<const double> by_value,
                                           std::span<float> by_row) {
    const std::size_t arity = predicate.arity();
    const RelationFeature& feature = *predicate.function->relation.feature;
    std::vector<double> by_case(prepared.cases.size() / arity);
    for (std::size_t a = 0; a < by_value.size(); ++a) {
        if (prepared.case_of[a]) by_case[*prepared.case_of[a]] += by_value[a];
    }
    std::vector<RelationPlace> places(arity);
    std::vector<RelationPlace> by_place(arity);
    for (std::size_t c = 0; c < by_case.size(); ++c) {
        const std::span<const std::uint32_t> objects = std::span(prepared.cases).subspan(c * arity, arity);
        if (by_case[c] == 0 || !find_places(seen, objects, places)) continue;
        const double value = prepared.logistic(feature.value(places));
        std::ranges::fill(by_place, RelationPlace{});
        feature.derivative(places, by_case[c] * value * (1 - value) * prepared.logistic.weight, by_place);
        for (std::size_t i = 0; i < arity; ++i) {
            const std::span<float> row =
                by_row.subspan(std::size_t{objects[i]} * seen.layout->columns, seen.layout->columns);
            row[column::x] += static_cast<float>(by_place[i].x);
            row[column::y] += static_cast<float>(by_place[i].y);
        }
    }
}

void SoftValuation::evaluate(const Looked& looked, std::span<double> values) const {
    if (values.size() != atoms().size()) {
        throw std::invalid_argument(fmt::format("{} values for {} atoms", values.size(), atoms().size()));
    }
    require(looked);
    for (std::size_t p = 0; p < prepared_.size(); ++p) {
        const NeuralPredicate& predicate = atoms_.predicates[p];
        const Prepared& prepared = prepared_[p];
        const std::span<double> out = values.subspan(predicate.first_atom, predicate.atom_count);
        const std::uint32_t* arguments = predicate.arguments.data();
        switch (predicate.function->kind) {
        case Kind::Presence:
            for (std::size_t a = 0; a < out.size(); ++a, arguments += 2) {
                const SeenObjects& seen = *looked.images[predicate.image + arguments[1]];
                out[a] = arguments[0] < seen.count() ? seen.row(arguments[0])[column::presence] : 0;
            }
            break;
        case Kind::Attribute: {
            const SeenObjects& seen = *looked.images[predicate.image];
            for (std::size_t a = 0; a < out.size(); ++a, arguments += 2) {
                const int at = prepared.columns[arguments[1]];
                out[a] =
                    at >= 0 && is_there(seen, arguments[0]) ? seen.row(arguments[0])[static_cast<std::size_t>(at)] : 0;
            }
            break;
        }
        case Kind::Relation:
            evaluate_relation(predicate, prepared, *looked.images[predicate.image], out);
            break;
        case Kind::Question:
            for (std::size_t a = 0; a < out.size(); ++a)
                out[a] = atoms()[predicate.first_atom + a] == looked.query ? 1 : 0;
            break;
        }
    }
    for (double& value : values)
        if (value < options_.least_value) value = 0;
}

void SoftValuation::backward(const Looked& looked, std::span<const double> value_gradients,
                             std::span<std::vector<float>> gradients) const {
    if (value_gradients.size() != atoms().size() || gradients.size() != looked.images.size()) {
        throw std::invalid_argument(
            fmt::format("{} gradients of values for {} atoms, {} gradients of rows for {} images",
                        value_gradients.size(), atoms().size(), gradients.size(), looked.images.size()));
    }
    require(looked);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (gradients[i].size() != looked.images[i]->rows.size()) {
            throw std::invalid_argument(fmt::format("image {} has {} numbers, its gradient {}", i + 1,
                                                    looked.images[i]->rows.size(), gradients[i].size()));
        }
    }
    const auto add = [&](std::size_t image, std::uint32_t object, std::size_t at, double amount) {
        gradients[image][std::size_t{object} * layout_->columns + at] += static_cast<float>(amount);
    };
    for (std::size_t p = 0; p < prepared_.size(); ++p) {
        const NeuralPredicate& predicate = atoms_.predicates[p];
        const Prepared& prepared = prepared_[p];
        const std::span<const double> by_value = value_gradients.subspan(predicate.first_atom, predicate.atom_count);
        const std::uint32_t* arguments = predicate.arguments.data();
        switch (predicate.function->kind) {
        case Kind::Presence:
            for (std::size_t a = 0; a < by_value.size(); ++a, arguments += 2) {
                const std::size_t image = predicate.image + arguments[1];
                if (arguments[0] < looked.images[image]->count())
                    add(image, arguments[0], column::presence, by_value[a]);
            }
            break;
        case Kind::Attribute:
            for (std::size_t a = 0; a < by_value.size(); ++a, arguments += 2) {
                const int at = prepared.columns[arguments[1]];
                if (at >= 0 && is_there(*looked.images[predicate.image], arguments[0]))
                    add(predicate.image, arguments[0], static_cast<std::size_t>(at), by_value[a]);
            }
            break;
        case Kind::Relation:
            differentiate_relation(predicate, prepared, *looked.images[predicate.image], by_value,
                                   gradients[predicate.image]);
            break;
        case Kind::Question:
            break;
        }
    }
}

bool SoftValuation::waits_for_question() const {
    return std::ranges::any_of(
        atoms_.predicates, [](const NeuralPredicate& predicate) { return predicate.function->kind == Kind::Question; });
}

std::size_t SoftValuation::left_out(const Looked& looked) const {
    require(looked);
    std::size_t count = 0;
    for (std::size_t image = 0; image < std::min(constants_.size(), looked.images.size()); ++image) {
        const SeenObjects& seen = *looked.images[image];
        for (std::size_t object = constants_[image]; object < seen.count(); ++object)
            count += seen.row(object)[column::presence] >= 0.5F ? 1 : 0;
    }
    return count;
}

}  // namespace neumann
