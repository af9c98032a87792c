// Requests about programs: their errors, their size, and their graph.
#include <neumann/check.h>
#include <neumann/datasets.h>
#include <neumann/reasoner.h>
#include <neumann/semantics.h>

#include "base/parallel.h"
#include "page/request.h"

namespace neumann {
namespace {

constexpr std::uint64_t most_nodes_to_draw = 20'000;

PageJson sizes_json(const ModelSizes& sizes) {
    PageJson result = {{"mode", sizes.grounding},         {"terms", sizes.terms}, {"atoms", sizes.atoms},
                       {"clauses", sizes.ground_clauses}, {"nodes", sizes.nodes}, {"edges", sizes.edges},
                       {"seconds", sizes.seconds}};
    result["rules"] = PageJson::array();
    for (const ModelSizes::Rule& rule : sizes.rules)
        result["rules"].push_back({{"clause", rule.clause}, {"line", rule.line}, {"clauses", rule.instances}});
    return result;
}

// Of all atoms after the last step, where they have values by themselves.
PageJson all_values(const Model& model, const ReasonerOptions& options) {
    if (semantics_summary(options.semantics).has_worlds) return nullptr;
    Reasoner reasoner(model, options);
    const Values values = reasoner.forward(Batch(model, 1));
    PageJson result = PageJson::array();
    for (std::uint32_t atom = 0; atom < model.atom_count(); ++atom) result.push_back(values.value(0, AtomIndex{atom}));
    return result;
}

}  // namespace

PageJson answer_about(const PageRequest& /*request*/) {
    PageJson result = {{"semantics", PageJson::array()},
                       {"datasets", PageJson::array()},
                       {"threads", hardware_threads()},
                       {"version", NEUMANN_VERSION}};
    for (const SemanticsSummary& one : known_semantics())
        result["semantics"].push_back({{"name", one.name},
                                       {"summary", one.summary},
                                       {"gamma", one.uses_gamma},
                                       {"needs_steps", one.needs_steps},
                                       {"worlds", one.has_worlds},
                                       {"evidence", one.takes_evidence},
                                       {"exact", one.is_exact},
                                       {"compiled", one.needs_compilation}});
    for (const DatasetInfo& one : all_datasets())
        result["datasets"].push_back({{"name", one.name},
                                      {"summary", one.summary},
                                      {"patterns", one.patterns},
                                      {"solid", one.solid},
                                      {"width", one.width},
                                      {"height", one.height}});
    return result;
}

PageJson answer_check(const PageRequest& request) {
    const ProgramCheck check = check_program(request.put_program());
    PageJson result = {{"good", check.good},
                       {"problems", problems_json(check.problems)},
                       {"text", check.text},
                       {"types", PageJson::array()},
                       {"predicates", PageJson::array()},
                       {"facts", check.facts},
                       {"clauses", check.clauses},
                       {"canonical", check.program}};
    for (const CheckedPredicate& one : check.all_predicates)
        result["predicates"].push_back({{"text", one.text}, {"origin", one.origin}});
    for (const CheckedType& one : check.all_types)
        result["types"].push_back(
            {{"name", one.name}, {"origin", one.origin}, {"constants", one.constants}, {"functors", one.functors}});
    return result;
}

PageJson answer_ground(const PageRequest& request, ModelCache& cache) {
    return sizes_json(cache.get(request, request.put_program(), request.model_options()).sizes());
}

PageJson answer_graph(const PageRequest& request, ModelCache& cache) {
    const Model model = cache.get(request, request.put_program(), request.model_options());
    const ModelSizes sizes = model.sizes();
    PageJson result = {{"sizes", sizes_json(sizes)}};
    if (sizes.nodes > most_nodes_to_draw) {
        result["too_large"] = true;
        return result;
    }
    std::string text;
    model.export_graph(GraphFormat::Json, [&](const std::string& piece) { text += piece; });
    result["graph"] = PageJson::parse(text);
    result["values"] = all_values(model, request.reasoner_options());
    return result;
}

}  // namespace neumann
