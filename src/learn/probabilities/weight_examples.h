// Labelled examples in the numbers of a program, merged if their inputs are equal: the labels are counted.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "learn/labels/example_labels.h"
#include "session/model_state.h"
#include "session/scorer.h"

namespace neumann {

struct WeightExamples {
    std::vector<SupervisedExample> different;  // in the order of the file
    std::size_t examples = 0;
    AtomLabels underivable;  // about atoms with value 0 for all weights
    std::set<std::string>
        no_inputs;  // predicates and atoms that the program must be compiled with, first: BoundExample

    double labels() const;
};

// Predicates and atoms of examples that the program must be compiled with as inputs before these can be read: see
// BoundExample::no_inputs. Throws ExampleError.
std::set<std::string> inputs_of_examples(const std::string& file, Model::State& model);

// `label` is the atom that labels are about; empty: none. Throws ExampleError; Error for an empty file.
WeightExamples read_weight_examples(const std::string& file, Model::State& model, const SupervisedAtoms& supervised,
                                    const std::string& label);

}  // namespace neumann
