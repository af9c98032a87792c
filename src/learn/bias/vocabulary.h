// Vocabulary of clauses for a learned predicate, as goals over numbered relations: from modes or, without modes, from
// the signature.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <neumann/learn_options.h>

#include "learn/bias/extensions.h"
#include "learn/bias/target_labels.h"
#include "learn/evaluate/clause.h"
#include "logic/program.h"

namespace neumann {

// How a goal of the search is written.
struct GoalForm {
    enum class Kind : std::uint8_t {
        Atom,      // p(X,Y), p(X,red)
        Compound,  // X = f(Y,Z)
        Constant,  // X = c
        Equal,     // X = Y
        AtLeast,   // X >= 5
        Below,     // X < 5
    };
    Kind kind = Kind::Atom;
    PredicateId predicate = {};
    std::vector<TermId> constants = {};  // per argument of an atom; none where a variable stands
    FunctorId functor = {};
    TermId constant = {};
};

struct Vocabulary {
    search::Bias bias;
    std::vector<GoalForm> forms;  // as bias.body
    // The first variable of head and goals is the world: a head without arguments has nothing else to join by.
    bool world_column = false;
    bool uses_worlds = false;  // some goal's relation differs from world to world
    bool declared = false;     // there are modes for bodies
    std::vector<std::string> notes;
};

struct VocabularyOptions {
    SearchBounds bounds;
    std::uint32_t most_clauses = 0;  // 0: as many as it takes
    // Beyond the declarations or, without any, beyond variables: constants, thresholds, equal
    // arguments of the head.
    bool wide = false;
    bool recursion = true;  // unless a mode decides
};

// Predicates that the background derives from `target` are no goals. `candidates`: the requested ones.
Vocabulary make_vocabulary(const Program& program, PredicateId target, Worlds& worlds,
                           const std::vector<TargetLabel>& labels, const std::vector<bool>& candidates,
                           const VocabularyOptions& options);

}  // namespace neumann
