// Supervision of examples in the numbers of a program: every form of label as labels of atoms and of classes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <neumann/examples.h>
#include <neumann/types.h>

#include "examples/bind_examples.h"
#include "session/model_state.h"
#include "session/scorer.h"

namespace neumann {

// The labels of one atom in examples with equal inputs.
struct AtomLabels {
    double count = 0;
    double sum = 0;       // of the labels, each in [0,1]
    double squares = 0;   // of their squares
    double certain = 0;   // how many are 0 or 1,
    double positive = 0;  // and how many of these are 1
};

// Which of some atoms that exclude each other was so.
struct ClassLabels {
    std::vector<std::uint32_t> atoms;  // the derivable ones
    std::map<std::uint32_t, double> count;
    double all = 0;  // labels, including those of underivable atoms
};

// Given values, and labels of any kind: "label", "targets" and "answer" become labels of atoms and of classes.
struct SupervisedExample {
    std::vector<AtomValue> given;  // by atom
    std::map<std::uint32_t, AtomLabels> atoms;
    std::map<std::uint32_t, ClassLabels> classes;  // by the first atom of each
};

// Reads the labels of bound examples. Errors are those of an example that cannot be learned from.
class LabelReader {
public:
    // Borrows all of them. `label` is the atom that labels are about; nothing: no atom is.
    LabelReader(const ExampleSource& source, ExampleBinder& binder, const CompiledProgram& compiled,
                const SupervisedAtoms& supervised, const std::optional<SupervisedAtoms::Number>& label);

    // Adds the example's labels to a row. `underivable` counts those of atoms whose value is 0 whatever is learned.
    // Throws ExampleError, also for an example without labels.
    void add(const BoundExample& example, SupervisedExample& row, AtomLabels& underivable);

private:
    using Classes = std::set<std::uint32_t>;
    [[noreturn]] void fail(const Example& example, const ExampleMistake& mistake) const;
    std::optional<std::uint32_t> number(const Example& example, std::uint32_t text_number);
    const std::vector<std::uint32_t>* group_of(std::uint32_t atom);
    void add_target(SupervisedExample& row, const Example& example, std::uint32_t text, double value,
                    const Classes& decided);
    void add_class(SupervisedExample& row, const Example& example, std::uint32_t text, Classes& decided);
    void add_label(SupervisedExample& row, const Example& example);
    void add_answer(SupervisedExample& row, const Example& example);

    const ExampleSource& source_;
    ExampleBinder& binder_;
    const CompiledProgram& compiled_;
    const SupervisedAtoms& supervised_;
    std::optional<SupervisedAtoms::Number> label_;
    AtomLabels* underivable_ = nullptr;
    std::vector<std::uint32_t> answers_;
    std::map<std::uint32_t, std::map<std::vector<TermId>, std::vector<std::uint32_t>>> exclusive_;  // by predicate
};

}  // namespace neumann
