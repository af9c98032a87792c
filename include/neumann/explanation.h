// Explanation of an atom's value, in words and numbers: the data of every output format. Made by explainer.h; owns all
// its texts, so it outlives the run that it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neumann {

// One step of a proof: an atom, and why it holds.
struct ExplainedStep {
    // Where a value that nothing had to derive comes from.
    enum class Origin : std::uint8_t {
        Rule,      // derived: by `clause`, with the fields below
        Fact,      // a fact of the program, at file and line
        Example,   // set by the example
        Picture,   // seen in an image
        Negation,  // it is the negation of an atom that does not hold: the premise, if there is one, is its best proof
    };
    std::string atom;              // canonical text
    std::string sentence;          // the atom in words, without a full stop: "taking gray out of red, gray leaves red"
    Origin origin = Origin::Rule;  // where the value comes from
    double value = 0;              // the value of the atom
    double proof_value = 0;        // its value by this derivation alone
    double gradient = 0;           // of the explained atom by this initial value; 0 for rules

    // Rule:
    std::uint32_t clause = 0;                                       // into Explanation::clauses
    double weight = 1;                                              // of the clause
    std::vector<std::pair<std::string, std::string>> substitution;  // X = red, in the order of the clause
    double share = 0;  // the derivative of the atom by this instance of the rule: its part in the OR, 0 to 1
    std::vector<std::uint32_t> premises;  // steps of this proof, in the order of the clause's body

    std::string file;        // Rule and Fact; empty where it is not known
    std::uint32_t line = 0;  // of that file, from 1
};

// A derivation. Step 0 is the proved atom; a step that several others use is there once, so this is a graph without
// cycles, and written out a tree.
struct ExplainedProof {
    std::vector<ExplainedStep> steps;  // the proved atom first
    double value = 0;                  // of this derivation alone: that of step 0
    // Under exact: the probability that it holds and none of the proofs before it does.
    std::optional<double> part = {};
};

// A clause of the program, and its part in the value.
struct ExplainedClause {
    std::string text;        // with its full stop
    std::string file;        // where it stands; empty: not known
    std::uint32_t line = 0;  // of that file, from 1
    double weight = 1;       // as it is used
    double gradient = 0;     // of the explained value by the weight
    double share = 0;        // weight × gradient, as a part of the sum over all clauses
    // The value when the clause has weight 0; known if it was asked for. Under `paper` that is not quite as if it were
    // not there: its instances leak.
    std::optional<double> without;
    bool used = false;  // in one of the proofs that are shown
};

// An initial value: a fact of the program, or an input of the example.
struct ExplainedInput {
    std::string atom;                                               // canonical text
    std::string sentence;                                           // the atom in words
    ExplainedStep::Origin origin = ExplainedStep::Origin::Example;  // where the value comes from
    double value = 0;                                               // that it starts with
    double gradient = 0;                                            // e_atoms of the paper
    double share = 0;               // value × gradient, as a part of the sum over all initial values
    std::optional<double> without;  // the explained value when this one is 0; known if it was asked for
};

// An object of an image, and its influence on the answer.
struct ExplainedObject {
    std::string name;                                   // the constant: obj0
    std::uint32_t image = 0;                            // the index of the image in the example
    std::size_t row = 0;                                // which object there
    double weight = 0;                                  // the largest gradient of its atoms: φ of the paper
    std::string atom;                                   // that has it
    std::vector<std::pair<std::string, double>> atoms;  // its attributes, the most probable first, from 0.05 on
};

// An input that stands in the way.
struct Failure {
    std::string atom;               // canonical text
    std::string sentence;           // the atom in words
    double value = 0;               // that it has
    double gradient = 0;            // of the explained value by this one
    std::string instead;            // the atom that holds in its place, such as shape(obj2,sphere); empty: none does
    double instead_value = 0;       // the value of that atom
    std::optional<double> if_true;  // the explained value if this one were 1
    std::optional<double> needed;   // a value of this one that is enough for the threshold, and nearly the least
};

// A derivation that nearly holds.
struct NearMiss {
    ExplainedProof proof;           // values are those of the run, so some are near 0
    std::vector<Failure> failures;  // the most to blame first; empty: its rules weigh too little
    std::optional<double> if_true;  // the explained value if all of them were 1
};

// Why an atom is not true.
struct WhyNot {
    std::vector<NearMiss> nearest;  // nearest first; empty: no derivation exists, and `impossible` has the reason
    std::string impossible;         // one or more sentences
};

// Why an atom has its value.
struct Explanation {
    std::string id;                      // of the example, as JSON text; empty: the program's own facts
    std::string atom;                    // canonical text
    std::string sentence;                // the atom in words
    std::size_t other_matches = 0;       // further atoms that match the query, beside those that are explained
    double value = 0;                    // of the atom
    double threshold = 0.5;              // from which on a value counts as true
    std::vector<ExplainedProof> proofs;  // the best first
    bool more_proofs = false;            // several were asked for, and there are, or may be, others
    // Under exact: the probability of the worlds in which none of these proofs holds. With their parts it adds up to
    // the value.
    std::optional<double> rest;
    std::optional<double> evidence;        // the probability of the program's evidence, if it has any
    std::vector<ExplainedInput> inputs;    // those with a gradient or in a proof, by share, then by gradient
    std::vector<ExplainedObject> objects;  // by image and row; those with an attribute or a weight
    std::vector<ExplainedClause> clauses;  // all, in the order of the program
    std::optional<WhyNot> why_not;         // known where it was asked for, or the atom does not hold

    // The values of the proof's atoms at every step; empty unless it was asked for.
    struct History {
        std::vector<std::string> atoms;          // those of the best proof
        std::vector<std::vector<double>> steps;  // steps[t][atom]
    };
    History history;  // see ExplainSessionOptions::history

    // How it was computed.
    std::string semantics;
    std::optional<double> gamma;  // of the soft-or; absent: the semantics has none
    std::uint32_t steps = 0;      // of reasoning
    bool exact = false;  // the best proof's value is the atom's value: its OR is idempotent; else it is at most that

    // Whether the value counts as true.
    bool holds() const { return value >= threshold; }
};

// A file of the program.
struct ReportSource {
    std::string name;  // as clauses and steps call it
    std::string text;  // all of it
};

}  // namespace neumann
