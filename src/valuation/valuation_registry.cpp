#include "valuation/valuation_registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "logic/print.h"

namespace neumann {
namespace {

using Kind = ValuationFunction::Kind;

// Thresholds and slopes as published; those of sides are not: as steep as front.
constexpr double side_slope = 37.7;
constexpr RelationFunction closeby{&centre_distance_feature, 0.224, -44.1, true};
constexpr RelationFunction online{&line_residual_feature, 0.157, -18.3, true};
constexpr RelationFunction left_of{&to_the_right_feature, 0, side_slope};
constexpr RelationFunction leftside{&from_the_middle_feature, 0, -side_slope};
constexpr RelationFunction rightside{&from_the_middle_feature, 0, side_slope};
constexpr RelationFunction front{&to_the_front_feature, 0, 37.7};

constexpr std::array<ValuationFunction, 13> functions{{
    {"in", Kind::Presence, 2},
    {"color", Kind::Attribute, 2, &SceneObject::color},
    {"shape", Kind::Attribute, 2, &SceneObject::shape},
    {"size", Kind::Attribute, 2, &SceneObject::size},
    {"material", Kind::Attribute, 2, &SceneObject::material},
    {"closeby", Kind::Relation, 2, nullptr, closeby},
    {"online", Kind::Relation, 0, nullptr, online},
    {"left_of", Kind::Relation, 2, nullptr, left_of},
    {"leftside", Kind::Relation, 1, nullptr, leftside},
    {"rightside", Kind::Relation, 1, nullptr, rightside},
    {"front", Kind::Relation, 2, nullptr, front},
    {"query2", Kind::Question, 3},
    {"query3", Kind::Question, 4},
}};

// color_img2 → color and 1
std::pair<std::string_view, std::uint32_t> split_image(std::string_view name) {
    constexpr std::string_view mark = "_img";
    const std::size_t at = name.rfind(mark);
    if (at == std::string_view::npos) return {name, 0};
    const std::string_view digits = name.substr(at + mark.size());
    if (digits.size() != 1 || digits[0] < '1' || digits[0] > '9') return {name, 0};
    return {name.substr(0, at), static_cast<std::uint32_t>(digits[0] - '1')};
}

// Throws ValuationError unless the registry has the function and the predicate has its arguments.
void require_function(const PredicateDecl& predicate, const NamedValuation& found) {
    const auto& [function, name, image] = found;
    if (function == nullptr) {
        const std::string known = fmt::format("known are {}", fmt::join(known_valuations(), ", "));
        const std::string meant = did_you_mean(name, known_valuations());
        throw ValuationError(fmt::format("no valuation function for the neural predicate {}; {}{}{}",
                                         print_indicator(predicate), meant, meant.empty() ? "" : " ", known));
    }
    if (function->arity != 0 && function->arity != predicate.args.size()) {
        throw ValuationError(fmt::format("the valuation function {} has {} arguments, the neural predicate {} has {}",
                                         name, function->arity, print_indicator(predicate), predicate.args.size()));
    }
    if (predicate.args.empty()) {
        throw ValuationError(
            fmt::format("the neural predicate {} has no object to speak of", print_indicator(predicate)));
    }
}

std::vector<std::string> constants_of(const Signature& signature, const PredicateDecl& predicate, TypeId type) {
    const TypeDecl& declared = signature.type(type);
    if (!declared.functors.empty()) {
        throw ValuationError(
            fmt::format("the neural predicate {} has an argument of type {}, which is not a list of constants",
                        print_indicator(predicate), declared.name));
    }
    std::vector<std::string> names;
    for (const ConstantId constant : declared.constants) names.push_back(signature.constant(constant).name);
    return names;
}

// All combinations of constants, the last argument fastest.
void enumerate_atoms(const PredicateDecl& declared, NeuralPredicate& predicate, std::vector<std::string>& atoms) {
    const std::size_t arity = declared.args.size();
    predicate.first_atom = atoms.size();
    const auto is_empty = [](const auto& constants) { return constants.empty(); };
    if (std::any_of(predicate.constants.begin(), predicate.constants.end(), is_empty)) return;
    std::vector<std::uint32_t> numbers(arity, 0);
    while (true) {
        bool exists = true;
        for (std::size_t i = 0; i < arity && declared.distinct; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                exists = exists && predicate.constants[i][numbers[i]] != predicate.constants[j][numbers[j]];
            }
        }
        if (exists) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < arity; ++i) names.push_back(quote_name(predicate.constants[i][numbers[i]]));
            atoms.push_back(fmt::format("{}({})", quote_name(declared.name), fmt::join(names, ",")));
            predicate.arguments.insert(predicate.arguments.end(), numbers.begin(), numbers.end());
            ++predicate.atom_count;
        }
        std::size_t last = arity;
        while (last > 0 && ++numbers[last - 1] == predicate.constants[last - 1].size()) numbers[--last] = 0;
        if (last == 0) return;
    }
}

}  // namespace

std::span<const ValuationFunction> valuation_functions() { return functions; }

std::vector<std::string> known_valuations() {
    std::vector<std::string> names;
    names.reserve(std::size(functions));
    for (const ValuationFunction& function : functions) names.emplace_back(function.name);
    return names;
}

NamedValuation find_valuation(std::string_view predicate) {
    const auto [name, image] = split_image(predicate);
    const auto* const found = std::ranges::find(functions, name, &ValuationFunction::name);
    return {found == functions.end() ? nullptr : found, name, image};
}

NeuralAtoms neural_atoms(const Signature& signature) {
    NeuralAtoms all;
    for (const PredicateDecl& declared : signature.predicates()) {
        if (!declared.neural) continue;
        NeuralPredicate predicate;
        const NamedValuation found = find_valuation(declared.name);
        require_function(declared, found);
        predicate.function = found.function;
        predicate.name = declared.name;
        predicate.image = found.image;
        for (const TypeId type : declared.args) predicate.constants.push_back(constants_of(signature, declared, type));
        enumerate_atoms(declared, predicate, all.names);
        all.predicates.push_back(std::move(predicate));
    }
    return all;
}

void require_image(const NeuralPredicate& predicate, std::size_t image, std::size_t images) {
    if (image < images) return;
    throw ValuationError(fmt::format("{} is about image {}, but there are {}", predicate.name, image + 1, images));
}

}  // namespace neumann
