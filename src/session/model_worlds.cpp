#include "session/model_worlds.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "logic/print.h"
#include "worlds/compile.h"

namespace neumann {
namespace {

// Groups of atoms of a predicate that differ in one argument alone.
void add_exclusive(const CompiledProgram& compiled, PredicateId predicate, std::uint32_t argument, WorldsTask& task) {
    const AtomTable& atoms = compiled.ground.atoms;
    const AtomTable::Range& range = atoms.range(predicate);
    std::map<std::vector<TermId>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
        if (!task.random_atom[atom]) continue;
        const std::span<const TermId> args = atoms.args_of(AtomId(atom));
        std::vector<TermId> others(args.begin(), args.end());
        others.erase(others.begin() + argument);
        groups[std::move(others)].push_back(atom);
    }
    for (auto& [others, group] : groups)
        if (group.size() > 1) task.exclusive.push_back(std::move(group));
}

// No DiagramLimit, after which another order of choices would be tried.
struct TimeOver : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "There are 1,200 random choices, of which 1,100 are of edge/2"
std::string where_choices_are(const CompiledProgram& compiled, const RandomChoices& choices) {
    const ReasoningGraph& graph = compiled.ground.graph;
    std::map<PredicateId, std::set<std::uint32_t>> by_predicate;
    for (const std::uint32_t atom : choices.atoms()) {
        std::set<std::uint32_t>& of = by_predicate[compiled.ground.atoms.predicate_of(AtomId(atom))];
        if (choices.of_atom(atom).random()) of.insert(*choices.of_atom(atom).choice);
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c)
            if (choices.of_conjunction(c).random()) of.insert(*choices.of_conjunction(c).choice);
    }
    const auto most = std::ranges::max_element(by_predicate, {}, [](const auto& one) { return one.second.size(); });
    const std::string indicator = print_indicator(compiled.program.signature.predicate(most->first));
    return fmt::format("It depends on {}, {} of them of {}", counted(choices.count(), "random choice"),
                       most->second.size() == choices.count() ? "all" : fmt::format("{}", most->second.size()),
                       indicator);
}

// "Ask a narrower query, …": exact values may be had nearly, too.
std::string ways_out(const SemanticsSummary& laws) {
    constexpr const char* narrower = "Ask a narrower query, ";
    constexpr const char* raise = "raise --memory-limit or --time-limit";
    std::vector<std::string_view> nearly;
    for (const SemanticsSummary& one : known_semantics())
        if (one.has_bounds) nearly.push_back(one.name);
    if (!laws.is_exact) return fmt::format("{}or {}", narrower, raise);
    return fmt::format("{}{}, or take --semantics {}", narrower, raise, fmt::join(nearly, " or "));
}

// "path(a,c) :- edge(a,b), \\+ closed(b)"
std::string instance_text(const CompiledProgram& compiled, std::uint32_t conjunction) {
    const ReasoningGraph& graph = compiled.ground.graph;
    std::string text = compiled.atom_text(graph.head[conjunction]);
    const char* before = " :- ";
    for (const GraphLiteral literal : graph.literals(conjunction))
        text += std::exchange(before, ", ") + std::string(literal.negated() ? "\\+ " : "") +
                compiled.atom_text(literal.atom());
    return text;
}

// Calls each(outcome, text, line, probability) for all outcomes but those that nothing happens. Facts have no line.
template <class Each>
void for_each_outcome(const CompiledProgram& compiled, const RandomChoices& choices, const Chances& chances,
                      const Each& each) {
    const ReasoningGraph& graph = compiled.ground.graph;
    for (const std::uint32_t atom : choices.atoms()) {
        if (const RandomChoices::Outcome outcome = choices.of_atom(atom); outcome.random())
            each(outcome, compiled.atom_text(atom), 0U, chances.initial[atom]);
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
            const RandomChoices::Outcome outcome = choices.of_conjunction(c);
            const std::uint32_t clause = graph.clause[c];
            if (outcome.random())
                each(outcome, instance_text(compiled, c), compiled.clauses[clause].line, chances.weight[clause]);
        }
    }
}

CompileMethod method_called(const std::string& name) {
    for (const CompileMethod one : {CompileMethod::Auto, CompileMethod::Diagrams, CompileMethod::Tables,
                                    CompileMethod::Search, CompileMethod::Sums})
        if (name == name_of(one)) return one;
    throw std::invalid_argument(fmt::format(
        "there is no method '{}' to compile exact probabilities; take auto, diagrams, sums, tables or search", name));
}

// Throws TooHard in the place of what compile(limits) throws for want of room or time.
template <class Compile>
auto within_limits(Model::State& model, const ReasonerOptions& options, const RandomChoices& choices,
                   const Compile& compile) {
    const SemanticsSummary& laws = semantics_summary(options.semantics);
    const auto too_hard = [&](const std::exception& why) {
        return TooHard(fmt::format("{} are too hard here: {}. {}. {}", laws.values_name, why.what(),
                                   where_choices_are(model.compiled(), choices), ways_out(laws)));
    };
    try {
        return compile(compile_limits(options));
    } catch (const DiagramLimit& limit) {
        throw too_hard(limit);
    } catch (const TimeOver& over) {
        throw too_hard(over);
    }
}

}  // namespace

CompileLimits compile_limits(const ReasonerOptions& options) {
    using Clock = std::chrono::steady_clock;
    CompileLimits limits;
    limits.bytes = (options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4) / 2;
    const auto begun = Clock::now();
    limits.watch = [options, begun](std::size_t done, std::size_t all, std::size_t nodes) {
        if (options.progress) options.progress(fmt::format("compiling, {} nodes", nodes), done, all);
        const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
        const bool left = seconds <= options.time_limit * options.compiling_share && !Budget::current().should_finish();
        if (options.time_limit > 0 && !left)
            throw TimeOver(fmt::format("the time limit of {} s is {}over, with {} of {} atoms and {} nodes",
                                       options.time_limit, options.compiling_share < 1 ? "nearly " : "", done, all,
                                       nodes));
        require_budget("compiling exact probabilities");
    };
    return limits;
}

WorldsTask worlds_task(const CompiledProgram& compiled, std::span<const std::uint32_t> asked,
                       std::span<const double> weights) {
    const ReasoningGraph& graph = compiled.ground.graph;
    WorldsTask task;
    task.asked.assign(asked.begin(), asked.end());
    task.observed = compiled.observed;
    for (const double weight : weights) task.random_clause.push_back(weight != 1);
    for (const ClauseInfo& clause : compiled.clauses)
        task.disjunction.push_back(clause.choice ? OptionalIndex(*clause.choice) : std::nullopt);
    for (const float initial : graph.initial.span()) task.random_atom.push_back(initial > 0 && initial < 1);
    for (const std::uint32_t atom : compiled.inputs) task.random_atom[atom] = true;
    for (const FactChance& one : compiled.ground.chances)
        task.chances.emplace_back(static_cast<std::uint32_t>(one.atom), one.probability);
    const std::vector<PredicateDecl>& predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; predicates[p].neural && atom < range.first + range.count; ++atom)
            task.random_atom[atom] = true;
        if (predicates[p].exclusive) add_exclusive(compiled, PredicateId(p), *predicates[p].exclusive, task);
    }
    return task;
}

WorldDiagrams compile_model_worlds(Model::State& model, const ReasonerOptions& options,
                                   std::span<const std::uint32_t> asked, std::span<const double> weights) {
    WorldsTask task = worlds_task(model.compiled(), asked, weights);
    RandomChoices choices(model.graph(), task);
    CompiledWorlds diagrams = within_limits(model, options, choices, [&](const CompileLimits& limits) {
        return compile_diagrams(model.graph(), model.levels(), task, choices, limits);
    });
    return {std::move(task), std::move(choices), std::move(diagrams)};
}

std::shared_ptr<const CompiledTask> compile_model_circuit(Model::State& model, const ReasonerOptions& options,
                                                          std::span<const std::uint32_t> asked,
                                                          std::span<const double> weights, bool separate) {
    const CompileMethod method = method_called(options.exact_method);
    WorldsTask task = worlds_task(model.compiled(), asked, weights);
    task.separate = separate;
    if (options.fixed_weights) task.fixed_weights.assign(weights.begin(), weights.end());
    const RandomChoices choices(model.graph(), task);
    CompileReport report;
    Circuit circuit = within_limits(model, options, choices, [&](const CompileLimits& limits) {
        return compile_circuit(model.graph(), model.levels(), task, choices, limits, method, &report);
    });
    return std::make_shared<CompiledTask>(CompiledTask{
        std::move(task), std::move(circuit),
        report.method == CompileMethod::Auto ? "" : std::string(name_of(report.method)), report.width, report.rows});
}

World describe_world(const CompiledProgram& compiled, const RandomChoices& choices, const ProbableWorld& world,
                     const Chances& chances) {
    World result{world.probability, world.evidence, {}, {}};
    for_each_outcome(compiled, choices, chances,
                     [&](RandomChoices::Outcome outcome, std::string text, std::uint32_t line, double probability) {
                         const bool holds = world.ways[*outcome.choice] == outcome.way;
                         result.decided.push_back({std::move(text), line, probability, *outcome.choice, holds});
                     });
    std::ranges::stable_sort(result.decided, {}, &World::Decided::choice);
    return result;
}

WorldCircuit describe_worlds(const CompiledProgram& compiled, const WorldDiagrams& worlds, const Chances& chances) {
    const DecisionDiagrams& diagrams = worlds.diagrams.diagrams;
    const std::vector<std::uint32_t>& order = worlds.diagrams.order;
    WorldCircuit circuit;
    std::vector<std::uint32_t> place(order.size());
    std::vector<double> probabilities;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        worlds.choices.probabilities(order[i], chances, probabilities);
        std::vector<WorldCircuit::Way>& ways = circuit.choices.emplace_back();
        for (const double probability : probabilities) ways.push_back({"", probability});
    }
    for_each_outcome(compiled, worlds.choices, chances,
                     [&](RandomChoices::Outcome outcome, std::string text, std::uint32_t, double) {
                         circuit.choices[place[*outcome.choice]][outcome.way].event = std::move(text);
                     });
    std::vector<DecisionDiagrams::Node> roots = worlds.diagrams.asked;
    roots.push_back(worlds.diagrams.observed);
    std::vector<std::uint32_t> number(diagrams.nodes());
    number[DecisionDiagrams::always] = 1;
    circuit.choice.assign(2, static_cast<std::uint32_t>(order.size()));
    circuit.branch_begin.assign(2, 0);
    for (const DecisionDiagrams::Node node : diagrams.nodes_under(roots)) {
        number[node] = static_cast<std::uint32_t>(circuit.choice.size());
        circuit.choice.push_back(diagrams.choice(node));
        circuit.branch_begin.push_back(static_cast<std::uint32_t>(circuit.branches.size()));
        for (const DecisionDiagrams::Node branch : diagrams.branches(node)) circuit.branches.push_back(number[branch]);
    }
    circuit.branch_begin.push_back(static_cast<std::uint32_t>(circuit.branches.size()));
    for (const DecisionDiagrams::Node root : worlds.diagrams.asked) circuit.asked.push_back(number[root]);
    circuit.observed = number[worlds.diagrams.observed];
    return circuit;
}

}  // namespace neumann
