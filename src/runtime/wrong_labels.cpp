#include "runtime/wrong_labels.h"

#include <fmt/format.h>

#include "draw/table.h"

namespace neumann {
namespace {

constexpr std::size_t most_wrong_listed = 5;

}  // namespace

std::string list_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const std::function<std::string(std::size_t target)>& name) {
    std::size_t wrong = 0;
    std::string some;
    std::size_t t = 0;
    for (const LabelledExample& example : set.examples) {
        const std::string line = example.line == 0 ? "" : fmt::format("line {:<6} ", example.line);
        for (const Example::Target& target : example.targets) {
            const std::size_t number = t++;
            if ((static_cast<double>(values[number]) >= threshold) == target.positive) continue;
            if (++wrong > most_wrong_listed) continue;
            some += fmt::format("  {}{:<20} {} is {} and gets {:.3f}\n", line, example.id, name(number),
                                target.positive ? 1 : 0, values[number]);
        }
    }
    if (wrong == 0) return "";
    return fmt::format("{}: {} of {} wrong\n{}{}", set.file, wrong, counted(t, "label"), some,
                       wrong > most_wrong_listed ? "  …\n" : "");
}

}  // namespace neumann
