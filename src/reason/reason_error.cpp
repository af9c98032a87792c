#include "reason/reason_error.h"

#include <fmt/format.h>

#include "reason/semantics.h"

namespace neumann {

void require_gamma(double gamma) {
    if (gamma >= least_gamma && gamma <= largest_gamma) return;
    throw ReasonError(fmt::format("gamma must be in [{}, {}], not {}", least_gamma, largest_gamma, gamma));
}

}  // namespace neumann
