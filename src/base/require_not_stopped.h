// Check for a request to stop, in work that shares in a result which is given when time or memory are over.
#pragma once

#include <string_view>

#include "base/budget.h"

namespace neumann {

// Throws LimitReached, "while reasoning", if the budget of this thread says that it is to stop.
inline void require_not_stopped(std::string_view doing) {
    const Budget& budget = Budget::current();
    if (budget.over() == LimitKind::Stop) budget.require(doing);
}

}  // namespace neumann
