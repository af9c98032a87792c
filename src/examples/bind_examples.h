// Examples in the numbers of a program: every atom's text is resolved once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <neumann/examples.h>

#include "compile/atom_names.h"

namespace neumann {

// An example with resolved atoms. `atoms` and `targets` stay as they were read; all other members use the numbers of
// the program.
struct BoundExample : Example {
    std::vector<AtomValue> values;
    struct Unneeded {
        std::string atom;  // canonical text
        float value;
    };
    std::vector<Unneeded> unneeded;  // atoms that were given values on which no query depends
    // Predicates ("edge/2") that were given values and have no inputs in the graph, and atoms ("edge(a,b)") with
    // constants that the program does not use: to be compiled with them, and bound again, before the example can be
    // used.
    std::vector<std::string> no_inputs;
};

// An error in an example, as text for the user; empty: no error.
using BindingFailure = std::string;

class ExampleBinder {
public:
    // Resolves a text to an atom. Kinds Unneeded and NoInput may occur or not.
    using Resolve = std::function<NamedAtom(std::string_view text)>;
    // "edge/2" of an atom without inputs.
    using Indicator = std::function<std::string(PredicateId predicate)>;

    ExampleBinder(Resolve resolve, Indicator indicator);
    explicit ExampleBinder(AtomNames& names);  // borrowed

    // Resolves the example's atoms anew, also if it was bound before.
    BindingFailure bind(const ExampleSource& source, BoundExample& example);

    // As many as can be bound, until the first error, which `failed` describes.
    std::vector<BoundExample> bind_all(const ExampleSource& source, std::vector<Example> examples,
                                       BindingFailure& failed);

    // The meaning of a text of the source. The reference holds until the source forgets its texts.
    const NamedAtom& find(const AtomTexts& texts, std::uint32_t number);

private:
    Resolve resolve_;
    Indicator indicator_;
    const AtomTexts* texts_ = nullptr;  // whose numbers are known
    std::uint64_t generation_ = 0;
    std::vector<const NamedAtom*> known_;  // by number; null: not asked for yet
    std::deque<NamedAtom> atoms_;
    std::unordered_set<std::uint32_t> seen_;
    std::unordered_set<std::string_view> seen_unneeded_;
};

}  // namespace neumann
