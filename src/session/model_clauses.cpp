#include "session/model_clauses.h"

#include <vector>

#include <fmt/format.h>

#include "session/model_reasoner.h"
#include "session/model_worlds.h"
#include "worlds/decision_diagrams.h"
#include "worlds/program_clauses.h"

namespace neumann {

std::string model_as_cnf(Model::State& model) {
    const std::vector<std::uint32_t> asked = atoms_to_ask(model);
    const CompiledProgram& compiled = model.compiled();
    const WorldsTask task = worlds_task(compiled, asked, model.graph().weight.span());
    std::vector<double> initial(model.graph().initial.span().begin(), model.graph().initial.span().end());
    for (const auto& [atom, probability] : task.chances) initial[atom] = probability;
    try {
        return program_as_cnf(model.graph(), task, {initial, model.graph().weight.span()},
                              [&](std::uint32_t atom) { return compiled.atom_text(atom); });
    } catch (const DiagramLimit& limit) {
        throw TooHard(fmt::format("this program has no clauses of this form: {}", limit.what()));
    }
}

std::string model_as_nnf(Model::State& model, const ReasonerOptions& options) {
    const std::vector<std::uint32_t> asked = atoms_to_ask(model);
    if (asked.size() > 1)
        throw Error(fmt::format("error: a circuit in the format nnf has one root, and {} atoms are asked: ask one",
                                asked.size()));
    const std::shared_ptr<const CompiledTask> compiled =
        compile_model_circuit(model, options, asked, model.graph().weight.span(), true);
    return circuit_as_nnf(model.graph(), compiled->task, compiled->circuit);
}

}  // namespace neumann
