#include "valuation/valuation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_fields.h"

namespace neumann {
namespace {

using Kind = ValuationFunction::Kind;

bool is_flat(const SceneObject& object) { return object.material.empty(); }

double value_of(const RelationFunction& relation, std::span<const RelationPlace> places, bool logistic) {
    if (!logistic) return relation.holds(places) ? 1 : 0;
    return 1 / (1 + std::exp(-relation.slope * (relation.feature->value(places) - relation.threshold)));
}

// The predicate's image, which has at most as many objects as the program has constants for.
const Scene& image_of(const Perception& perception, const NeuralPredicate& predicate, std::size_t image) {
    require_image(predicate, image, perception.images.size());
    const Scene& scene = *perception.images[image];
    if (scene.objects.size() > predicate.constants[0].size()) {
        throw ValuationError(fmt::format("{} objects, but {} has constants for {}", scene.objects.size(),
                                         predicate.name, predicate.constants[0].size()));
    }
    return scene;
}

// in(object, image): the image is an argument.
void evaluate_presence(const NeuralPredicate& predicate, const Perception& perception, std::span<double> values) {
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        const Scene& scene = image_of(perception, predicate, predicate.image + predicate.arguments[2 * a + 1]);
        values[a] = predicate.arguments[2 * a] < scene.objects.size() ? 1 : 0;
    }
}

// For each object the number of its value among the program's constants.
std::vector<std::uint32_t> attribute_numbers(const NeuralPredicate& predicate, const Scene& scene, double flip,
                                             Rng* chance) {
    const std::vector<std::string>& words = predicate.constants[1];
    const auto count = static_cast<std::uint32_t>(words.size());
    std::vector<std::uint32_t> numbers;
    for (const SceneObject& object : scene.objects) {
        const std::string& word = object.*(predicate.function->attribute);
        const auto found = std::find(words.begin(), words.end(), word);
        if (found == words.end()) {
            throw ValuationError(fmt::format("an object is '{}', which is none of the program's values for {}: {}",
                                             word, predicate.name, fmt::join(words, ", ")));
        }
        auto number = static_cast<std::uint32_t>(found - words.begin());
        if (flip > 0 && count > 1 && chance->chance(flip)) number = (number + 1 + chance->below(count - 1)) % count;
        numbers.push_back(number);
    }
    return numbers;
}

void evaluate_attribute(const NeuralPredicate& predicate, const Scene& scene, const ValuationOptions& options,
                        Rng* chance, std::span<double> values) {
    const std::vector<std::uint32_t> numbers = attribute_numbers(predicate, scene, options.flip, chance);
    const std::size_t others = predicate.constants[1].size() - 1;
    const double right = others == 0 ? 1 : 1 - options.noise;
    const double wrong = others == 0 ? 0 : options.noise / static_cast<double>(others);
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        const std::uint32_t object = predicate.arguments[2 * a];
        if (object >= numbers.size())
            values[a] = 0;  // an empty slot looks like nothing
        else
            values[a] = numbers[object] == predicate.arguments[2 * a + 1] ? right : wrong;
    }
}

void evaluate_relation(const NeuralPredicate& predicate, const Scene& scene, const ValuationOptions& options,
                       Rng* chance, std::span<double> values) {
    const RelationFunction& relation = predicate.function->relation;
    if (relation.flat_only && !scene.objects.empty() && !is_flat(scene.objects.front())) {
        throw ValuationError(fmt::format("{} is known for flat figures only", predicate.name));
    }
    std::vector<RelationPlace> places(predicate.arity());
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        const std::span<const std::uint32_t> objects = predicate.arguments_of(a);
        bool can_hold = true;  // nothing is left of itself, or close to itself, or near an empty slot
        for (std::size_t i = 0; i < objects.size() && can_hold; ++i) {
            const auto before = objects.first(i);
            can_hold = objects[i] < scene.objects.size() &&
                       std::find(before.begin(), before.end(), objects[i]) == before.end();
            if (can_hold) places[i] = relation_place(scene.objects[objects[i]], options.directions);
        }
        values[a] = 0;
        if (!can_hold) continue;
        double value = value_of(relation, places, options.logistic);
        if (options.flip > 0 && chance->chance(options.flip)) value = 1 - value;
        values[a] = value * (1 - options.noise) + (1 - value) * options.noise;
    }
}

}  // namespace

RelationPlace relation_place(const SceneObject& object, const GroundDirections& directions) {
    if (is_flat(object)) return {object.position[0], object.position[1]};
    return {0.5 + toward(directions.right, object.position), toward(directions.front, object.position)};
}

Valuation::Valuation(const Signature& signature, const ValuationOptions& options)
    : options_(options), atoms_(neural_atoms(signature)) {}

void Valuation::evaluate(const Perception& perception, std::span<double> values, Rng* chance) const {
    if (values.size() != atoms().size()) {
        throw std::invalid_argument(fmt::format("{} values for {} atoms", values.size(), atoms().size()));
    }
    if (options_.flip > 0 && chance == nullptr) throw std::invalid_argument("flips need a random generator");
    for (const NeuralPredicate& predicate : atoms_.predicates) {
        const std::span<double> out = values.subspan(predicate.first_atom, predicate.atom_count);
        const auto scene = [&]() -> const Scene& { return image_of(perception, predicate, predicate.image); };
        switch (predicate.function->kind) {
        case Kind::Presence:
            evaluate_presence(predicate, perception, out);
            break;
        case Kind::Attribute:
            evaluate_attribute(predicate, scene(), options_, chance, out);
            break;
        case Kind::Relation:
            evaluate_relation(predicate, scene(), options_, chance, out);
            break;
        case Kind::Question:
            for (std::size_t a = 0; a < out.size(); ++a) {
                out[a] = atoms()[predicate.first_atom + a] == perception.query ? 1 : 0;
            }
            break;
        }
    }
}

std::vector<std::pair<std::string, double>> Valuation::nonzero(const Perception& perception, Rng* chance) const {
    std::vector<double> values(atoms().size());
    evaluate(perception, values, chance);
    std::vector<std::pair<std::string, double>> atoms;
    for (std::size_t a = 0; a < values.size(); ++a) {
        if (values[a] != 0) atoms.emplace_back(atoms_.names[a], values[a]);
    }
    return atoms;
}

std::string example_line(std::string_view id, const std::vector<std::pair<std::string, double>>& atoms,
                         std::string_view more) {
    std::string line = fmt::format(R"({{"id": {}, "atoms": {{)", json_text(id));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        fmt::format_to(std::back_inserter(line), "{}{}: {}", i == 0 ? "" : ", ", json_text(atoms[i].first),
                       atoms[i].second);
    }
    line += '}';
    line += more;
    return line + "}\n";
}

}  // namespace neumann
