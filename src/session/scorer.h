// Scoring: the conclusions of a program against labels, targets and answers of examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <neumann/examples.h>

#include "compile/atom_names.h"
#include "examples/bind_examples.h"

namespace neumann {

// Which atoms of a compiled program labels and answers are about.
class SupervisedAtoms {
public:
    // An atom that is not in the graph cannot be derived: its value is 0.
    using Number = std::optional<std::uint32_t>;
    struct Answer {
        std::string term;
        Number atom;
    };

    // `queries` are the queries to the program. Borrows nothing.
    SupervisedAtoms(const CompiledProgram& compiled, AtomNames& names, std::span<const AtomNames::QueryAtoms> queries);

    // The program's one label or, if it has none, the only queried atom; nothing: the label is ambiguous.
    const std::optional<Number>& label() const { return label_; }
    // The atoms answer(X), or else those of the only query with one variable. Empty: no query asks for a term.
    const std::vector<Answer>& answers() const { return answers_; }

private:
    std::optional<Number> label_;
    std::vector<Answer> answers_;
};

class Scorer {
public:
    explicit Scorer(const ScoreOptions& options) : options_(options) {}

    // The final value of an atom of the graph.
    using ValueOf = std::function<double(std::uint32_t atom)>;

    // An example that was bound by `binder` and has been reasoned with.
    void count(const ExampleSource& source, const BoundExample& example, ExampleBinder& binder,
               const SupervisedAtoms& atoms, const ValueOf& value);

    const Score& score() const { return score_; }

private:
    void count_label(const ExampleSource& source, const BoundExample& example, const SupervisedAtoms& atoms,
                     const ValueOf& value);
    void count_targets(const ExampleSource& source, const BoundExample& example, ExampleBinder& binder,
                       const ValueOf& value);
    void count_answer(const ExampleSource& source, const BoundExample& example, const SupervisedAtoms& atoms,
                      const ValueOf& value);
    void not_understood(const ExampleSource& source, const Example& example, ExampleMistake mistake);

    ScoreOptions options_;
    Score score_;
};

}  // namespace neumann
