#include "ground/ground.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/slot_table.h"
#include "graph/build.h"
#include "graph/simplify.h"
#include "ground/engine.h"
#include "ground/limit.h"
#include "logic/dependencies.h"
#include "logic/match.h"
#include "logic/print.h"

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

AtomTable keep_atoms(const AtomTable& atoms, const std::vector<bool>& keep) {
    AtomTable kept(atoms.predicate_count());
    for (std::size_t p = 0; p < atoms.predicate_count(); ++p) {
        const auto predicate = checked_id<PredicateId>(p, "predicates");
        const AtomTable::Range& range = atoms.range(predicate);
        const std::size_t arity = range.count == 0 ? 0 : range.args.size() / range.count;
        PodVector<TermId> rows;
        std::uint64_t count = 0;
        for (std::uint32_t a = 0; a < range.count; ++a) {
            if (!keep[range.first + a]) continue;
            rows.append(range.args.span().subspan(a * arity, arity));
            ++count;
        }
        kept.add(predicate, count, SharedArray(std::move(rows)));
    }
    return kept;
}

class Simplifier {
public:
    Simplifier(const Program& program, const GroundOptions& options, Diagnostics& diagnostics)
        : program_(program), options_(options), diagnostics_(diagnostics) {}

    void run(GroundProgram& ground) const {
        const bool prunes = options_.mode == GroundMode::Relevant && !everything_is_asked();
        if (!prunes && options_.facts == FactMode::Keep) return;
        const std::uint32_t atoms = ground.graph.atom_count();
        const std::vector<bool> asked = asked_atoms(ground);
        Simplification what{std::vector<bool>(atoms, true), std::vector<bool>(atoms, false), {}, {}};
        if (options_.facts == FactMode::Evaluate) what.certain = certain(ground);
        if (prunes) what.keep = needed_atoms(ground.graph, asked, what.certain);
        for (std::uint32_t a = 0; a < atoms; ++a) what.keep[a] = what.keep[a] && (!what.certain[a] || asked[a]);
        ground.graph = simplify(ground.graph, what);
        ground.atoms = keep_atoms(ground.atoms, what.keep);
    }

private:
    bool everything_is_asked() const { return program_.queries.empty() && program_.labels.empty(); }

    std::vector<bool> asked_atoms(const GroundProgram& ground) const {
        std::vector<bool> asked(ground.graph.atom_count(), everything_is_asked());
        const auto mark = [&](const Query& query) {
            const std::vector<AtomId> found = matching_atoms(program_, ground.atoms, query);
            for (AtomId atom : found) asked[atom.index()] = true;
            if (!found.empty()) return;
            diagnostics_.report(codes::no_match, query.atom.span, "nothing that can be derived matches this query",
                                "are there facts, clauses or neural predicates that lead to it?");
        };
        for (const Query& query : program_.queries) mark(query);
        for (const Atom& label : program_.labels) mark({label, {}});
        for (const Evidence& one : program_.evidence)
            for (const AtomId atom : matching_atoms(program_, ground.atoms, {one.atom, {}})) asked[atom.index()] = true;
        return asked;
    }

    std::vector<bool> certain(const GroundProgram& ground) const {
        std::vector<bool> facts(ground.graph.atom_count(), false);
        for (std::size_t p = 0; p < ground.atoms.predicate_count(); ++p) {
            if (program_.signature.predicates()[p].neural) continue;  // its values come with each example
            const AtomTable::Range& range = ground.atoms.range(checked_id<PredicateId>(p, "predicates"));
            for (std::uint32_t a = range.first; a < range.first + range.count; ++a)
                facts[a] = ground.graph.initial[a] == 1.0F;
        }
        std::vector<bool> clauses;
        for (const Clause& clause : program_.clauses) clauses.push_back(clause.certain);
        return certain_atoms(ground.graph, std::move(facts), clauses);
    }

    const Program& program_;
    const GroundOptions& options_;
    Diagnostics& diagnostics_;
};

std::uint64_t count_terms(const Program& program, const AtomTable& atoms) {
    PodVector<bool> seen(program.terms.size(), false);
    std::uint64_t count = 0;
    for (std::size_t p = 0; p < atoms.predicate_count(); ++p) {
        for (TermId term : atoms.range(checked_id<PredicateId>(p, "predicates")).args) {
            count += seen[term.index()] ? 0 : 1;
            seen[term.index()] = true;
        }
    }
    return count;
}

// Facts that queries do not need are counted, too: they are there.
void check_facts(const Program& program, const GroundOptions& options) {
    std::uint64_t needed = bytes_of(program) + program.terms.bytes();
    for (std::size_t i = 0; i < program.facts.size(); ++i) needed += bytes_per_atom(program.facts[i].args.size());
    if (program.facts.size() == 0 || needed <= options.memory_limit) return;
    throw GroundingLimit(program.facts[0].span,
                         fmt::format("the program and its {} fact{} take {}, beyond the memory limit of {}",
                                     program.facts.size(), program.facts.size() == 1 ? "" : "s", format_bytes(needed),
                                     format_bytes(options.memory_limit)),
                         "leave out facts that are not needed, or raise --memory-limit");
}

// The last of several facts about an atom counts, unless the grounder took another: then there is none.
std::vector<FactChance> chances_of(const Program& program, const GroundProgram& ground) {
    const auto is_random = [](float value) { return value > 0 && value < 1; };
    if (std::ranges::none_of(ground.graph.initial, is_random)) return {};  // millions of facts are usually certain
    std::vector<std::vector<std::uint32_t>> facts_of(program.signature.predicates().size());
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        if (fact.probability < 1 && static_cast<double>(static_cast<float>(fact.probability)) != fact.probability)
            facts_of[fact.predicate.index()].push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<FactChance> chances;
    for (std::size_t p = 0; p < facts_of.size(); ++p) {
        if (facts_of[p].empty()) continue;
        SlotTable by_args;
        std::ranges::reverse(facts_of[p]);
        for (const std::uint32_t i : facts_of[p]) by_args.insert(hash_ids(0, program.facts[i].args), i);
        const AtomTable::Range& range = ground.atoms.range(checked_id<PredicateId>(p, "predicates"));
        for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
            const std::span<const TermId> args = ground.atoms.args_of(AtomId(atom));
            const std::uint32_t fact = by_args.find(
                hash_ids(0, args), [&](std::uint32_t i) { return std::ranges::equal(program.facts[i].args, args); });
            if (fact == SlotTable::absent) continue;
            const double probability = program.facts[fact].probability;
            if (initial_value(probability) == ground.graph.initial[atom]) chances.push_back({atom, probability});
        }
    }
    return chances;
}

GroundProgram ground_or_throw(Program& program, const GroundOptions& options, Diagnostics& diagnostics) {
    const auto start = Clock::now();
    check_facts(program, options);
    const TermBounds bounds(program.signature);
    const std::vector<Rule> rules = compile_rules(program, bounds);
    Instances instances = options.mode == GroundMode::Full
                              ? ground_full(program, bounds, rules, options)
                              : ground_relevant(program, bounds, rules, options, diagnostics);
    GroundProgram result;
    result.rules.resize(program.clauses.size());
    for (std::size_t r = 0; r < rules.size(); ++r) result.rules[rules[r].clause].seconds = instances.seconds[r];
    result.atoms = std::move(instances.atoms);
    result.terms = instances.terms;

    if (options.progress != nullptr) options.progress->update("building the graph", 0, 0);
    GraphInput input;
    input.blocks = std::move(instances.blocks);
    input.initial = std::move(instances.initial);
    for (const Clause& clause : program.clauses) input.weight.push_back(clause.weight_value());
    result.graph = build_graph(std::move(input), options.threads, options.parallel_from);
    Simplifier(program, options, diagnostics).run(result);
    if (options.mode == GroundMode::Relevant) result.terms = count_terms(program, result.atoms);
    count_instances(result);
    result.chances = chances_of(program, result);
    result.seconds = seconds_since(start);
    return result;
}

}  // namespace

std::uint64_t bytes_of(const Program& program) {
    std::uint64_t total = program.signature.bytes() + program.facts.bytes();
    for (std::uint32_t f = 0; program.sources != nullptr && f < program.sources->size(); ++f)
        total += program.sources->file(f).text().size();
    return total;
}

std::uint64_t memory_limit_of(const GroundOptions& options) {
    return options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4;
}

// Almost certain must not become certain by rounding.
float initial_value(double probability) {
    return std::min(static_cast<float>(probability), probability < 1 ? std::nextafter(1.0F, 0.0F) : 1.0F);
}

// Initial values of atoms from facts. Atoms are in canonical order per predicate but facts are few: a hash of the
// facts, then one look per atom of a predicate that has any.
PodVector<float> initial_values(const Program& program, const AtomTable& atoms) {
    PodVector<float> initial(atoms.size(), 0.0F);
    std::vector<std::vector<std::size_t>> facts_of(program.signature.predicates().size());
    for (std::size_t i = 0; i < program.facts.size(); ++i) facts_of[program.facts[i].predicate.index()].push_back(i);
    for (std::size_t p = 0; p < facts_of.size(); ++p) {
        if (facts_of[p].empty()) continue;
        const AtomTable::Range& range = atoms.range(checked_id<PredicateId>(p, "predicates"));
        if (range.count == 0) continue;
        const std::size_t arity = range.args.size() / range.count;
        SlotTable by_args;
        for (std::size_t i : facts_of[p])
            by_args.insert(hash_ids(0, program.facts[i].args), static_cast<std::uint32_t>(i));
        for (std::uint32_t a = 0; a < range.count; ++a) {
            const std::span<const TermId> args = range.args.span().subspan(a * arity, arity);
            const std::uint32_t fact = by_args.find(
                hash_ids(0, args), [&](std::uint32_t i) { return std::ranges::equal(program.facts[i].args, args); });
            if (fact == SlotTable::absent) continue;
            initial[range.first + a] = initial_value(program.facts[fact].probability);
        }
    }
    return initial;
}

void count_instances(GroundProgram& ground) {
    for (RuleStats& stats : ground.rules) stats.instances = stats.edges = 0;
    for (std::uint32_t c = 0; c < ground.graph.conjunction_count(); ++c) {
        RuleStats& stats = ground.rules[ground.graph.clause[c]];
        ++stats.instances;
        stats.edges += std::max<std::uint64_t>(1, ground.graph.body_begin[c + 1] - ground.graph.body_begin[c]) + 1;
    }
}

void shape_block(const Rule& rule, InstanceBlock& block) {
    const std::span<const RuleAtom> body = rule.literals();
    block.width = static_cast<std::uint32_t>(body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
        for (std::size_t j = i + 1; j < body.size(); ++j) {
            if (body[i].predicate == body[j].predicate) block.may_collapse = true;
        }
    }
    if (std::ranges::none_of(body, &RuleAtom::negated)) return;
    block.may_collapse = true;  // an atom that is not there leaves no literal
    for (const RuleAtom& goal : body) block.negated.push_back(goal.negated);
}

void remove_repeated(InstanceBlock& block) {
    const std::size_t width = block.width + 1;
    const auto row = [&](std::size_t i) { return block.rows.span().subspan(i * width, width); };
    std::vector<std::size_t> order(block.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return std::ranges::lexicographical_compare(row(a), row(b)); });
    PodVector<std::uint32_t> kept;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || !std::ranges::equal(row(order[i]), row(order[i - 1]))) kept.append(row(order[i]));
    }
    block.rows = std::move(kept);
}

std::string describe_domains(const Program& program, const Rule& rule, const std::vector<Slot>& slots,
                             const std::vector<std::uint64_t>& sizes) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::uint32_t variable = rule.slot_variable[slots[i]];
        const std::string name =
            variable == Rule::no_variable ? "a term" : program.clauses[rule.clause].variables[variable].name;
        parts.push_back(
            fmt::format("{}: {} of '{}'", name, sizes[i], program.signature.type(rule.slot_type[slots[i]]).name));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<GroundProgram> ground(Program& program, const GroundOptions& given, Diagnostics& diagnostics) {
    GroundOptions options = given;
    options.memory_limit = memory_limit_of(options);
    if (given.memory_limit == 0) options.memory_limit += bytes_of(program);  // which is not part of the free memory
    if (report_negative_cycle(program, diagnostics)) return std::nullopt;
    if (options.mode == GroundMode::Full && !program.item_orders.empty()) {
        diagnostics.report(codes::unsupported, program.signature.predicate(program.item_orders[0].next).span,
                           "full grounding has no aggregates: it does not ask which instances of a goal can hold",
                           "ground what is relevant (--mode relevant)");
        return std::nullopt;
    }
    try {
        return ground_or_throw(program, options, diagnostics);
    } catch (const GroundingError& error) {
        diagnostics.report(error.code(), error.span(), error.what(), error.advice());
    } catch (const IdOverflow& overflow) {
        diagnostics.report(codes::memory_limit, {}, overflow.what(),
                           "bound the program's types, or ask a narrower query");
    } catch (const std::bad_alloc&) {
        diagnostics.report(codes::memory_limit, {}, "out of memory while grounding",
                           "bound the program's types, or set --memory-limit");
    }
    return std::nullopt;
}

std::vector<AtomId> matching_atoms(const Program& program, const AtomTable& atoms, const Query& query) {
    const AtomTable::Range& range = atoms.range(query.atom.predicate);
    std::vector<AtomId> found;
    const std::size_t arity = query.atom.args.size();
    std::vector<TermId> bound;
    for (std::uint32_t a = 0; a < range.count; ++a) {
        bound.assign(query.variables.size(), TermId::none());
        const std::span<const TermId> args = range.args.span().subspan(a * arity, arity);
        if (match_terms(program.terms, query.atom.args, args, bound)) found.emplace_back(range.first + a);
    }
    return found;
}

}  // namespace neumann
