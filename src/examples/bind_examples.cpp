#include "examples/bind_examples.h"

#include <set>
#include <utility>

#include <fmt/format.h>

namespace neumann {

ExampleBinder::ExampleBinder(Resolve resolve, Indicator indicator)
    : resolve_(std::move(resolve)), indicator_(std::move(indicator)) {}

ExampleBinder::ExampleBinder(AtomNames& names)
    : ExampleBinder([&names](std::string_view text) { return names.look_up(text); },
                    [&names](PredicateId predicate) { return names.indicator(predicate); }) {}

const NamedAtom& ExampleBinder::find(const AtomTexts& texts, std::uint32_t number) {
    if (texts_ != &texts || generation_ != texts.generation()) {
        texts_ = &texts;
        generation_ = texts.generation();
        known_.clear();
        atoms_.clear();
    }
    if (number >= known_.size()) known_.resize(texts.size(), nullptr);
    const NamedAtom*& atom = known_[number];
    if (atom == nullptr) atom = &atoms_.emplace_back(resolve_(texts.text(number)));
    return *atom;
}

BindingFailure ExampleBinder::bind(const ExampleSource& source, BoundExample& example) {
    example.values.clear();
    example.unneeded.clear();
    seen_.clear();
    seen_unneeded_.clear();
    std::set<std::string> no_inputs;
    for (const AtomValue& given : example.atoms) {
        const NamedAtom& atom = find(source.texts(), given.atom);
        bool first = true;
        switch (atom.kind) {
        case NamedAtom::Kind::InGraph:
            first = seen_.insert(atom.atom).second;
            example.values.push_back({atom.atom, given.value});
            break;
        case NamedAtom::Kind::Unneeded:
            first = seen_unneeded_.insert(atom.text).second;
            example.unneeded.push_back({atom.text, given.value});
            break;
        case NamedAtom::Kind::NoInput:
            no_inputs.insert(indicator_(atom.predicate));
            if (!atom.text.empty()) no_inputs.insert(atom.text);
            break;
        case NamedAtom::Kind::Invalid:
        case NamedAtom::Kind::Impossible: {
            const std::string& text = source.texts().text(given.atom);
            return source.describe(example, {.key = text, .message = what_is_wrong(text, atom), .offset = atom.column});
        }
        }
        if (!first) {
            const std::string& text = source.texts().text(given.atom);
            return source.describe(example,
                                   {.key = text, .message = fmt::format("'{}' is given twice", text), .twice = true});
        }
    }
    example.no_inputs.assign(no_inputs.begin(), no_inputs.end());
    return {};
}

std::vector<BoundExample> ExampleBinder::bind_all(const ExampleSource& source, std::vector<Example> examples,
                                                  BindingFailure& failed) {
    std::vector<BoundExample> bound;
    bound.reserve(examples.size());
    failed.clear();
    for (Example& example : examples) {
        failed = bind(source, bound.emplace_back(BoundExample{std::move(example), {}, {}, {}}));
        if (failed.empty()) continue;
        bound.pop_back();
        break;
    }
    return bound;
}

}  // namespace neumann
