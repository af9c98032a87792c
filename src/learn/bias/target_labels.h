// Labels of the learned predicate: given by examples, or derived from labels of a predicate whose clauses use it once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learn/bias/extensions.h"
#include "learn/task/examples.h"
#include "logic/program.h"

namespace neumann {

struct TargetLabel {
    std::uint32_t world = 0;
    std::vector<TermId> args;
    bool positive = false;
};

class TargetLabels {
public:
    // Adds the data about each world to the program.
    TargetLabels(Program& program, PredicateId target, const AtomPool& pool, const ExampleSet& examples);

    // Why there are none; empty: there are.
    const std::string& reason() const { return reason_; }
    // The predicate that maps a label to atoms of the target; none if labels name it.
    PredicateId asked() const { return asked_; }
    // Empty, with a reason, if a label that is true asks for several atoms, one of which is enough.
    std::vector<TargetLabel> find(const Worlds& worlds);

private:
    void declare_asked(Program& program, PredicateId labelled);

    PredicateId target_;
    const AtomPool& pool_;
    const ExampleSet& examples_;
    PredicateId asked_;
    std::string reason_;
};

}  // namespace neumann
