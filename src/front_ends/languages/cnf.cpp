// Weighted CNF of the Model Counting Competition: a random fact for each variable, and a query that holds if all
// clauses do. `reason` counts the models without this translation.
#include <array>

#include <fmt/format.h>

#include <neumann/semantics.h>

#include "front_ends/front_end.h"
#include "worlds/weighted_cnf.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 2> cnf_endings = {".cnf", ".dimacs"};

std::string rule_text(std::size_t clause, std::int32_t literal) {
    return fmt::format("c({}) :- {}v({}).", clause + 1, literal < 0 ? "\\+ " : "", literal < 0 ? -literal : literal);
}

TranslatedText translate_cnf(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                             std::vector<std::string>& notes) {
    TranslatedText result{"", fmt::format("{}, converted", sources.file(file).name())};
    const WeightedCnf cnf = read_cnf(sources, file, diagnostics, notes);
    if (diagnostics.has_errors()) return result;
    const Span whole = sources.whole_file(file);
    if (cnf.projected()) {
        diagnostics.report(codes::unsupported, whole, "a program cannot project variables away",
                           "count with reason --semantics exact, or leave the lines c p show out");
        return result;
    }
    std::string& text = result.text;
    text = fmt::format("% {} variables, {} clauses. The count is the probability of models", cnf.variables,
                       cnf.clauses.size());
    text += cnf.weighted() ? " times the product of both weights, added up, of each v.\n" : " times 2 for each v.\n";
    std::vector<bool> used(cnf.variables, false);
    for (const WeightedCnf::Clause& clause : cnf.clauses)
        for (const std::int32_t literal : clause)
            used[static_cast<std::size_t>(literal < 0 ? -literal : literal) - 1] = true;
    for (std::uint32_t v = 0; v < cnf.variables; ++v) {
        const double sum = cnf.weight(v, false) + cnf.weight(v, true);
        if (sum == 0)
            diagnostics.report(codes::bad_weight, whole, fmt::format("both weights of variable {} are 0", v + 1),
                               "no model has a weight");
        if (used[v]) text += fmt::format("{}::v({}).\n", sum == 0 ? 0 : cnf.weight(v, true) / sum, v + 1);
    }
    std::string last;
    for (std::size_t c = 0; c < cnf.clauses.size(); ++c) {
        if (cnf.clauses[c].empty())
            diagnostics.report(codes::unsupported, whole, fmt::format("clause {} is empty: there is no model", c + 1),
                               "leave it out");
        for (const std::int32_t literal : cnf.clauses[c]) text += rule_text(c, literal) + '\n';
        text +=
            c == 0 ? fmt::format("all(1) :- c(1).\n") : fmt::format("all({}) :- all({}), c({}).\n", c + 1, c, c + 1);
    }
    text += cnf.clauses.empty() ? "models.\n" : fmt::format("models :- all({}).\n", cnf.clauses.size());
    text += ":- query(models).\n";
    return result;
}

Program read_cnf_program(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>& notes) {
    return read_translated(cnf_front_end, request, diagnostics, notes);
}

constexpr std::array<Road, 1> cnf_roads = {{{.grounding = "", .read = read_cnf_program}}};

}  // namespace

const FrontEnd cnf_front_end = {.name = "cnf",
                                .summary = "weighted CNF, as model counters read it",
                                .endings = cnf_endings,
                                .refuses = "negative and complex weights; atoms that depend on themselves",
                                .default_semantics = exact_semantics_name,
                                .writes_ground = true,
                                .roads = cnf_roads,
                                .translate = translate_cnf};

}  // namespace neumann
