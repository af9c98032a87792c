#include <cmath>
#include <utility>

#include <neumann/reasoner.h>

#include "compile/require.h"
#include "logic/print.h"
#include "session/model_state.h"

namespace neumann {

Batch::Batch(Model model, std::size_t examples) : model_(std::move(model)), values_(examples) {}

std::vector<AtomValue>& Batch::checked(std::size_t example, double probability) {
    require(example < examples(), "there is no example {} among {}", example, examples());
    require(probability >= 0 && probability <= 1, "the value {} in example {} is not in [0,1]", probability, example);
    return values_[example];
}

void Batch::set(std::size_t example, AtomIndex atom, double probability) {
    std::vector<AtomValue>& values = checked(example, probability);
    values.push_back({model_.state_->checked(atom), static_cast<float>(probability)});
}

void Batch::set(std::size_t example, std::string_view atom, double probability) {
    std::vector<AtomValue>& values = checked(example, probability);
    Model::State& model = *model_.state_;
    const std::scoped_lock lock(model.mutex);
    const NamedAtom found = model.find(atom);
    if (found.kind == NamedAtom::Kind::InGraph) values.push_back({found.atom, static_cast<float>(probability)});
    if (found.kind == NamedAtom::Kind::NoInput)
        throw Error(fmt::format("error: '{}': the program was compiled as if {} had no values of its own\n"
                                "  declare it neural, or name it in ModelOptions::inputs",
                                atom, print_indicator(model.compiled().program.signature.predicate(found.predicate))));
    if (found.kind == NamedAtom::Kind::Impossible)
        throw Error(fmt::format("error: '{}' is beyond the bounds of the program\n"
                                "  raise the bound (max_depth, max_length, no_repeats, ModelOptions::term_depth)",
                                atom));
}

void OutputGradients::add(std::size_t example, AtomIndex atom, double gradient) {
    require(example < examples(), "there is no example {} among {}", example, examples());
    const auto rounded = static_cast<float>(gradient);
    require(std::isfinite(rounded), "the gradient {} in example {} is not finite in single precision", gradient,
            example);
    gradients_[example].push_back({static_cast<std::uint32_t>(atom), rounded});
}

}  // namespace neumann
