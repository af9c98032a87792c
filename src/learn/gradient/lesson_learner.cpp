#include "learn/gradient/lesson_learner.h"

namespace neumann {

std::vector<bool> labelled_atoms(const LearningProblem& problem, const Dataset& train, const Dataset& validation) {
    std::vector<bool> asked(problem.grounder().atoms().size(), false);
    for (const Dataset* data : {&train, &validation}) {
        for (std::size_t t = 0; t < data->target_count(); ++t) {
            const std::uint32_t atom = data->target(t).atom;
            if (atom != LearningProblem::no_atom_number) asked[atom] = true;
        }
    }
    return asked;
}

std::vector<SearchClause> first_clauses(const Program& program, Refiner& refiner) {
    std::vector<SearchClause> start;
    for (const LearnTarget& target : program.learn) {
        bool declared = false;
        for (const Clause& clause : program.initial) {
            if (clause.head.predicate != target.predicate) continue;
            start.push_back(refiner.canonical(clause));
            declared = true;
        }
        if (declared) continue;
        const std::vector<SearchClause> general = refiner.most_general(target.predicate);
        start.insert(start.end(), general.begin(), general.end());
    }
    return start;
}

}  // namespace neumann
