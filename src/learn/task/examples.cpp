#include "learn/task/examples.h"

namespace neumann {

std::set<PredicateId> labelled_predicates(const AtomPool& pool, const ExampleSet& set) {
    std::set<PredicateId> found;
    for (const LabelledExample& example : set.examples) {
        for (const Example::Target& label : example.targets) found.insert(pool.predicate(label.atom));
    }
    return found;
}

}  // namespace neumann
