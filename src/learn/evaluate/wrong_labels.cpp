#include "learn/evaluate/wrong_labels.h"

#include <vector>

#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_wrong_listed = 5;

}  // namespace

WrongLabels find_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const std::function<std::string(std::size_t target)>& name) {
    WrongLabels found;
    found.file = set.file;
    for (const LabelledExample& example : set.examples) {
        for (const Example::Target& target : example.targets) {
            const std::size_t number = found.labels++;
            if ((static_cast<double>(values[number]) >= threshold) == target.positive) continue;
            if (++found.wrong > most_wrong_listed) continue;
            found.first.push_back({example.line, example.id, name(number), target.positive, values[number]});
        }
    }
    return found;
}

WrongLabels find_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const Program& program, const AtomPool& pool) {
    std::vector<std::uint32_t> atoms;
    for (const LabelledExample& example : set.examples) {
        for (const Example::Target& target : example.targets) atoms.push_back(target.atom);
    }
    return find_wrong_labels(set, values, threshold, [&](std::size_t t) {
        return print_atom(program.signature, program.terms, pool.predicate(atoms[t]), pool.args(atoms[t]));
    });
}

}  // namespace neumann
