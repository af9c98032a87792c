#include "analyse/analyse.h"

namespace neumann {

void require_known_parameters(const Program& program, Diagnostics& diagnostics) {
    for (const Clause& clause : program.clauses) {
        if (!clause.parameter || !clause.parameter->open) continue;
        diagnostics.report(codes::bad_weight, clause.parameter->span,
                           "this probability is not known yet: learn it first",
                           "neumann learn PROGRAM --parameters --train EXAMPLES; or write t(0.3) to begin with 0.3");
    }
}

}  // namespace neumann
