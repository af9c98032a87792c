// Free variables of a rule: warning or error before they multiply its instances.
#pragma once

#include <cstdint>

#include "base/diagnostics.h"
#include "ground/plan.h"
#include "ground/rule.h"
#include "ground/universe.h"
#include "logic/program.h"

namespace neumann {

// Their effect is known before a rule runs: a warning if they multiply its instances beyond reason, an error
// (GroundingLimit) if a rule that consists of nothing else cannot fit into so many bytes.
void check_free_variables(const Program& program, const Universe& universe, const Rule& rule, const Plan& plan,
                          std::uint64_t memory_limit, Diagnostics& diagnostics);

}  // namespace neumann
