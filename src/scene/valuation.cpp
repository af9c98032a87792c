#include "scene/valuation.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "logic/print.h"
#include "scene/json_fields.h"

namespace neumann {
namespace {

using Objects = std::span<const SceneObject* const>;

// Published thresholds and slopes of the one-input logistic functions.
constexpr double close_distance = 0.224;
constexpr double close_slope = 44.1;
constexpr double line_residual_most = 0.157;
constexpr double line_slope = 18.3;
constexpr double front_slope = 37.7;
constexpr double side_slope = 37.7;  // not published; as steep as front

bool is_flat(const SceneObject& object) { return object.material.empty(); }

// How true it is that an amount is positive.
double positive(double amount, double slope, const ValuationOptions& options) {
    if (options.logistic) return 1 / (1 + std::exp(-slope * amount));
    return amount > 0 ? 1 : 0;
}

double from_left(const SceneObject& object, const ValuationOptions& options) {
    return is_flat(object) ? object.position[0] - 0.5 : toward(options.directions.right, object.position);
}

double to_front(const SceneObject& object, const ValuationOptions& options) {
    return is_flat(object) ? object.position[1] : toward(options.directions.front, object.position);
}

double closeby(Objects objects, const ValuationOptions& options) {
    const double apart = std::hypot(objects[0]->position[0] - objects[1]->position[0],
                                    objects[0]->position[1] - objects[1]->position[1]);
    return positive(close_distance - apart, close_slope, options);
}

// Root of the sum of squares that the best line y = a x + b leaves over, as the published function measures it.
double line_residual_norm(Objects objects) {
    const auto count = static_cast<double>(objects.size());
    double mean_x = 0;
    double mean_y = 0;
    for (const SceneObject* object : objects) {
        mean_x += object->position[0] / count;
        mean_y += object->position[1] / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const SceneObject* object : objects) {
        const double x = object->position[0] - mean_x;
        const double y = object->position[1] - mean_y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    return std::sqrt(std::max(0.0, xx > 0 ? yy - xy * xy / xx : yy));
}

double online(Objects objects, const ValuationOptions& options) {
    return positive(line_residual_most - line_residual_norm(objects), line_slope, options);
}

double left_of(Objects objects, const ValuationOptions& options) {
    return positive(from_left(*objects[1], options) - from_left(*objects[0], options), side_slope, options);
}

double leftside(Objects objects, const ValuationOptions& options) {
    return positive(-from_left(*objects[0], options), side_slope, options);
}

double rightside(Objects objects, const ValuationOptions& options) {
    return positive(from_left(*objects[0], options), side_slope, options);
}

double front(Objects objects, const ValuationOptions& options) {
    return positive(to_front(*objects[0], options) - to_front(*objects[1], options), front_slope, options);
}

}  // namespace

struct Valuation::Function {
    enum class Kind { Presence, Attribute, Relation, Question };
    std::string_view name;
    Kind kind;
    std::size_t arity;  // 0: any
    std::string SceneObject::*attribute = nullptr;
    double (*relation)(Objects, const ValuationOptions&) = nullptr;
    bool flat_only = false;
};

namespace {

using Function = Valuation::Function;
using Kind = Function::Kind;

constexpr Function functions[] = {
    {"in", Kind::Presence, 2},
    {"color", Kind::Attribute, 2, &SceneObject::color},
    {"shape", Kind::Attribute, 2, &SceneObject::shape},
    {"size", Kind::Attribute, 2, &SceneObject::size},
    {"material", Kind::Attribute, 2, &SceneObject::material},
    {"closeby", Kind::Relation, 2, nullptr, closeby, true},
    {"online", Kind::Relation, 0, nullptr, online, true},
    {"left_of", Kind::Relation, 2, nullptr, left_of},
    {"leftside", Kind::Relation, 1, nullptr, leftside},
    {"rightside", Kind::Relation, 1, nullptr, rightside},
    {"front", Kind::Relation, 2, nullptr, front},
    {"query2", Kind::Question, 3},
    {"query3", Kind::Question, 4},
};

// color_img2 → color and 1
std::pair<std::string_view, std::uint32_t> split_image(std::string_view name) {
    constexpr std::string_view mark = "_img";
    const std::size_t at = name.rfind(mark);
    if (at == std::string_view::npos) return {name, 0};
    const std::string_view digits = name.substr(at + mark.size());
    if (digits.size() != 1 || digits[0] < '1' || digits[0] > '9') return {name, 0};
    return {name.substr(0, at), static_cast<std::uint32_t>(digits[0] - '1')};
}

const Function& find_function(const PredicateDecl& predicate, std::string_view name) {
    const auto* found =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
    if (found == std::end(functions)) {
        const std::string known = fmt::format("known are {}", fmt::join(known_valuations(), ", "));
        const std::string meant = did_you_mean(name, known_valuations());
        throw ValuationError(fmt::format("no valuation function for the neural predicate {}; {}{}{}",
                                         print_indicator(predicate), meant, meant.empty() ? "" : " ", known));
    }
    if (found->arity != 0 && found->arity != predicate.args.size()) {
        throw ValuationError(fmt::format("the valuation function {} has {} arguments, the neural predicate {} has {}",
                                         name, found->arity, print_indicator(predicate), predicate.args.size()));
    }
    return *found;
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
void enumerate_atoms(const PredicateDecl& declared, Valuation::Predicate& predicate, std::vector<std::string>& atoms) {
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

// The picture that the predicate speaks of, which has no more objects than the program has constants for.
const Scene& image_of(const Perception& perception, const Valuation::Predicate& predicate, std::size_t image) {
    if (image >= perception.images.size()) {
        throw ValuationError(
            fmt::format("{} is about image {}, but there are {}", predicate.name, image + 1, perception.images.size()));
    }
    const Scene& scene = *perception.images[image];
    if (scene.objects.size() > predicate.constants[0].size()) {
        throw ValuationError(fmt::format("{} objects, but {} has constants for {}", scene.objects.size(),
                                         predicate.name, predicate.constants[0].size()));
    }
    return scene;
}

// in(object, image): the picture is an argument.
void evaluate_presence(const Valuation::Predicate& predicate, const Perception& perception, std::span<double> values) {
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        const Scene& scene = image_of(perception, predicate, predicate.image + predicate.arguments[2 * a + 1]);
        values[a] = predicate.arguments[2 * a] < scene.objects.size() ? 1 : 0;
    }
}

// For each object the number of its value among the program's constants.
std::vector<std::uint32_t> attribute_numbers(const Valuation::Predicate& predicate, const Scene& scene, double flip,
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

void evaluate_attribute(const Valuation::Predicate& predicate, const Scene& scene, const ValuationOptions& options,
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

void evaluate_relation(const Valuation::Predicate& predicate, const Scene& scene, const ValuationOptions& options,
                       Rng* chance, std::span<double> values) {
    const std::size_t arity = predicate.constants.size();
    if (predicate.function->flat_only && !scene.objects.empty() && !is_flat(scene.objects.front())) {
        throw ValuationError(fmt::format("{} is known for flat figures only", predicate.name));
    }
    std::vector<const SceneObject*> objects(arity);
    for (std::size_t a = 0; a < predicate.atom_count; ++a) {
        bool all_there = true;
        bool repeated = false;
        for (std::size_t i = 0; i < arity && all_there; ++i) {
            const std::uint32_t object = predicate.arguments[arity * a + i];
            all_there = object < scene.objects.size();
            if (all_there) objects[i] = &scene.objects[object];
            repeated = repeated || std::find(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(i),
                                             objects[i]) != objects.begin() + static_cast<std::ptrdiff_t>(i);
        }
        values[a] = 0;
        if (!all_there || repeated) continue;  // nothing stands left of itself, or close to itself
        double value = predicate.function->relation(objects, options);
        if (options.flip > 0 && chance->chance(options.flip)) value = 1 - value;
        values[a] = value * (1 - options.noise) + (1 - value) * options.noise;
    }
}

}  // namespace

std::vector<std::string> known_valuations() {
    std::vector<std::string> names;
    for (const Function& function : functions) names.emplace_back(function.name);
    return names;
}

Valuation::Valuation(const Signature& signature, const ValuationOptions& options) : options_(options) {
    for (const PredicateDecl& declared : signature.predicates()) {
        if (!declared.neural) continue;
        Predicate predicate;
        const auto [name, image] = split_image(declared.name);
        predicate.function = &find_function(declared, name);
        predicate.name = declared.name;
        predicate.image = image;
        for (const TypeId type : declared.args) predicate.constants.push_back(constants_of(signature, declared, type));
        enumerate_atoms(declared, predicate, atoms_);
        predicates_.push_back(std::move(predicate));
    }
}

void Valuation::evaluate(const Perception& perception, std::span<double> values, Rng* chance) const {
    if (values.size() != atoms_.size()) {
        throw std::invalid_argument(fmt::format("{} values for {} atoms", values.size(), atoms_.size()));
    }
    if (options_.flip > 0 && chance == nullptr) throw std::invalid_argument("flips need a random generator");
    for (const Predicate& predicate : predicates_) {
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
                out[a] = atoms_[predicate.first_atom + a] == perception.query ? 1 : 0;
            }
            break;
        }
    }
}

std::vector<std::pair<std::string, double>> Valuation::nonzero(const Perception& perception, Rng* chance) const {
    std::vector<double> values(atoms_.size());
    evaluate(perception, values, chance);
    std::vector<std::pair<std::string, double>> atoms;
    for (std::size_t a = 0; a < values.size(); ++a) {
        if (values[a] != 0) atoms.emplace_back(atoms_[a], values[a]);
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
