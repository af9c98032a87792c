// Diagnosis of a program that gets labels wrong: the declaration that prevents a better one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/clauses/refine.h"
#include "learn/evaluate/judge.h"
#include "learn/task/options.h"

namespace neumann {

// A limit of the language, the clause that it excludes, and the value of that clause.
struct Limitation {
    std::string what;     // "recall of modeb(1, closeby(+object,+object))"
    Span span;            // of the declaration; empty if it is an option
    std::string advice;   // the change that would help
    std::string clause;   // the clause that would then be there
    double accuracy = 0;  // on all labels, with that clause
};

// The inputs and result of the failed search. All borrowed.
struct FailedSearch {
    LearningProblem& problem;
    const SearchLanguage& language;
    const Dataset& train;
    const std::vector<bool>& asked;
    const LearnerOptions& options;
    Judge& judge;
    const std::vector<std::uint32_t>& program;  // the best that was found
    std::vector<std::uint32_t> slots;           // clauses that each learned predicate may have
    std::size_t labels;                         // in training and validation together
};

// Searches again, for single clauses, in languages that allow a little more than the given one, and returns those that
// have a clause that gets more labels right than the program: the best first. `stop` ends it early.
std::vector<Limitation> find_limitations(const FailedSearch& failed, const std::atomic<bool>* stop);

}  // namespace neumann
