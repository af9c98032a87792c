// Random small learning tasks: facts, a language bias with this and that restriction, labels by a hidden program.
#pragma once

#include <functional>
#include <string>

#include "base/rng.h"
#include "oracle/small_program.h"

namespace neumann::search_oracle {

enum class Specials { None, Declared, Undeclared };  // comparisons and negated goals

struct TaskKind {
    bool recursion = false;
    Specials specials = Specials::None;
    bool invention = false;         // some clause of the hidden program has a goal more than allowed
    std::size_t most_literals = 8;  // of the hidden program, where that can be
};

SmallTask random_small_task(Rng& rng, const TaskKind& kind);

// The smallest task that is still wrong, without this fact, that label, goal or restriction. `wrong` says what is.
SmallTask shrunk(SmallTask task, const std::function<std::string(const SmallTask&)>& wrong);

}  // namespace neumann::search_oracle
