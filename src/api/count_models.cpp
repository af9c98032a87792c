#include <neumann/convert.h>

#include "api/as_written.h"
#include "compile/problems.h"
#include "compile/with_errors.h"
#include "session/model_worlds.h"
#include "syntax/load.h"
#include "worlds/decision_diagrams.h"
#include "worlds/model_count.h"

namespace neumann {

ModelCount count_models(const std::filesystem::path& path, const ModelOptions& reading, const ReasonerOptions& limits) {
    return with_errors([&] {
        ModelCount result;
        SourceSet sources;
        Diagnostics diagnostics = make_diagnostics(reading);
        const auto file = load_text(path, sources, diagnostics, load_options(reading).limits);
        WeightedCnf cnf;
        if (file) cnf = read_cnf(sources, *file, diagnostics, result.notes);
        if (diagnostics.has_errors()) throw error_of(diagnostics, sources, reading);
        result.kind = cnf.kind();
        result.variables = cnf.variables;
        result.clauses = cnf.clauses.size();
        try {
            ModelCountResult found = count_cnf(cnf, compile_limits(limits));
            result.count = found.count.value();
            result.log10 = found.count.log10();
            result.digits = std::move(found.digits);
            result.nodes = found.nodes;
        } catch (const DiagramLimit& limit) {
            throw TooHard(fmt::format("these models are too hard to count here: {}", limit.what()));
        }
        return result;
    });
}

}  // namespace neumann
