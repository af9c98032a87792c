#include "oracle/other_words.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/random_vocabulary.h"

namespace neumann::oracle {
namespace {

// [H|T] as its functor here and there: the place of a term in an atom says what it is.
void spell_differently(TermText& term, Rng& rng) {
    if (rng.chance(0.5)) term.brackets = false;
    for (TermText& arg : term.args) spell_differently(arg, rng);
}

}  // namespace

ProgramText in_other_words(const ProgramText& program, Rng& rng, std::vector<std::size_t>& original) {
    ProgramText result = program;
    shuffle(result.facts, rng);
    shuffle(result.queries, rng);
    original.clear();
    for (std::size_t c = 0; c < program.clauses.size(); ++c) original.push_back(c);
    shuffle(original, rng);
    for (std::size_t c = 0; c < original.size(); ++c) {
        ClauseText& clause = result.clauses[c] = program.clauses[original[c]];
        std::vector<std::string> names = {"A", "_Q", "X1", "Long_name9", "X0", "Zz"};
        shuffle(names, rng);
        std::ranges::copy_n(names.begin(), static_cast<std::ptrdiff_t>(clause.variables.size()),
                            clause.variables.begin());
        for (std::size_t n = rng.below(3); n > 0 && !clause.body.empty(); --n) {
            clause.body.push_back(clause.body[rng.below(static_cast<std::uint32_t>(clause.body.size()))]);
        }
        shuffle(clause.body, rng);
        for (GoalText& goal : clause.body) {
            if (goal.kind == GoalText::Kind::Atom) {
                for (TermText& arg : goal.args) spell_differently(arg, rng);
            } else if (rng.chance(0.5)) {
                std::swap(goal.args[0], goal.args[1]);
            }
        }
    }
    return result;
}

}  // namespace neumann::oracle
