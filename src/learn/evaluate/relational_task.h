// Relational learning task: labelled atoms of one predicate, the background that its clauses may use; and its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/evaluate/score.h"
#include "learn/evaluate/work.h"

namespace neumann::search {

struct Task {
    Bias bias;
    std::vector<Relation> relations;            // as bias.body
    std::vector<std::vector<Value>> positives;  // arguments of the target
    std::vector<std::vector<Value>> negatives;
    ScoreKind score = ScoreKind::Literals;  // by which programs are compared
    bool prefer = true;                     // of programs with the same labels and literals, the general one
    std::shared_ptr<Work> work = std::make_shared<Work>();  // on it; that of relations on demand is part of it
};

inline Score score_of(const Task& task) {
    return {task.score, task.bias, task.positives.size(), task.negatives.size()};
}

struct SearchResult {
    std::vector<Clause> program;
    // Programs of other clauses that get the same labels right with as many literals.
    std::vector<std::vector<Clause>> equals = {};
    std::vector<std::string> proof = {};  // what has been ruled out and why, a line each
    std::string hint = {};                // why nothing can be found; empty: nothing is known
    std::size_t size = 0;                 // literals, heads too
    std::size_t true_positives = 0;
    std::size_t false_positives = 0;
    std::size_t true_negatives = 0;
    std::size_t false_negatives = 0;
    std::uint64_t candidates = 0;  // clauses and programs that were evaluated
    unsigned finished_body = 0;    // all clauses with so many goals have been seen, or need not be
    Ended ended = Ended::Exhausted;
    std::uint64_t work = 0;  // until it was found; of a search that has ended, all of it
    double seconds = 0;

    bool is_right() const { return false_positives == 0 && false_negatives == 0; }
    bool is_shortest() const { return ended == Ended::Proven; }  // it is right, and no shorter program is
};

}  // namespace neumann::search
