#include "analyse/passes.h"
#include "logic/dependencies.h"

namespace neumann {

void check_stratification(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    report_negative_cycle(program, diagnostics);
}

}  // namespace neumann
