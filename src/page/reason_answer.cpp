// Reasoning requests: the output of `neumann reason --json` and additional data for the page.
#include <chrono>
#include <memory>

#include <neumann/examples.h>
#include <neumann/semantics.h>
#include <neumann/session.h>

#include "cli/reason_output.h"
#include "page/request.h"

namespace neumann {
namespace {

OutputOptions output_options(const PageRequest& request, const SessionOptions& session) {
    OutputOptions options;
    options.semantics = session.reason.semantics;
    options.all_answers = true;  // the page groups them by query_ends, and hides what is certainly false
    options.gamma = session.reason.gamma;
    options.history = session.history;
    options.history_of_all = request.flag("history_of_all");
    options.input_gradients = session.input_gradients;
    options.weight_gradients = session.weight_gradients;
    options.compare_exact = session.compare_exact;
    const SemanticsSummary& laws = semantics_summary(options.semantics);
    options.intervals = laws.has_bounds;
    options.step_name = laws.step_name;
    return options;
}

SessionOptions session_options(const PageRequest& request) {
    SessionOptions options;
    options.reason = request.reasoner_options();
    options.queries = request.texts("queries");
    const SemanticsSummary& laws = semantics_summary(options.reason.semantics);
    options.history = request.flag("history") && !laws.has_worlds;
    options.input_gradients = options.weight_gradients = request.flag("gradients") && laws.has_gradients;
    options.compare_exact = request.flag("compare") && !laws.is_exact;
    options.bounds_at_limit = true;
    if (request.has("weights")) options.weights = request.json()["weights"].get<std::vector<double>>();
    return options;
}

// The initial values of inputs, by name: those of facts, 0 for inputs that examples would set.
PageJson initial_values(const Model& model, const std::vector<AtomIndex>& inputs) {
    PageJson result = PageJson::object();
    for (const AtomIndex input : inputs) result[model.atom_name(input)] = model.initial_value(input);
    return result;
}

PageJson clauses_json(const Model& model) {
    PageJson result = PageJson::array();
    for (std::size_t clause = 0; clause < model.clause_count(); ++clause)
        result.push_back({{"text", model.clause_text(clause)}, {"weight", model.weight(clause)}});
    return result;
}

void add_lines(const std::string& lines, PageJson& to) {
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = lines.find('\n', at);
        to.push_back(PageJson::parse(lines.substr(at, end - at)));
        at = end + 1;
    }
}

}  // namespace

PageJson answer_reason(const PageRequest& request, ModelCache& cache) {
    const auto begun = std::chrono::steady_clock::now();
    const std::string program = request.put_program();
    const SessionOptions options = session_options(request);
    const auto maker = [&](const ModelRequest& wanted) {
        ModelOptions how = request.model_options();
        how.inputs = wanted.inputs;
        return cache.get(request, program, how);
    };
    Session session(maker, options);
    const ReasonOutput output(output_options(request, options));
    PageJson result = {{"examples", PageJson::array()}};
    std::unique_ptr<ExampleSource> source;
    if (const std::optional<std::string> given = request.given_line()) source = read_examples(*given, "given");
    if (request.has("examples")) source = read_examples(request.text("examples"), "examples");
    const auto take = [&](Session& with) {
        std::string lines;
        output.write_json(with, lines);
        add_lines(lines, result["examples"]);
        if (!result.contains("inputs") && options.input_gradients)
            result["inputs"] = initial_values(with.model(), with.inputs(0));
        if (const auto& problem = with.limit_problem()) result["limit"] = *problem;
        return true;
    };
    if (source != nullptr) {
        session.run(*source, {}, take);
    } else {
        session.run_own_facts();
        take(session);
    }
    const ModelSizes sizes = session.model().sizes();
    result["queries"] = session.model().queries();
    result["query_ends"] = session.query_ends();
    result["clauses"] = clauses_json(session.model());
    result["warnings"] = session.model().warnings();
    result["atoms"] = sizes.atoms;
    result["ground_clauses"] = sizes.ground_clauses;
    result["engine"] = session.description();
    result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return result;
}

}  // namespace neumann
