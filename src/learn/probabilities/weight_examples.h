// Labelled examples in the numbers of a program, merged if their inputs are equal: the labels are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <neumann/examples.h>
#include <neumann/types.h>

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

struct WeightExample {
    std::vector<AtomValue> given;  // by atom
    std::map<std::uint32_t, AtomLabels> atoms;
    std::map<std::uint32_t, ClassLabels> classes;  // by the first atom of each
};

struct WeightExamples {
    std::vector<WeightExample> different;  // in the order of the file
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
