// Clauses grounded one by one against the whole program grounded at once, on random programs.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "ground/clause_grounder.h"
#include "logic/bounds.h"
#include "oracle/cases.h"
#include "oracle/random_vocabulary.h"

namespace neumann::oracle {
namespace {

// A ground clause in words: the clause it is of, its head, its body.
using Said = std::tuple<std::size_t, std::string, std::vector<std::string>>;

std::string atom_text(const Program& program, const AtomTable& atoms, std::uint32_t atom) {
    return plain_text(program, atoms.predicate_of(AtomId(atom)), atoms.args_of(AtomId(atom)));
}

// `number` says which clause of the text a clause of the graph is.
std::vector<Said> said(const Program& program, const AtomTable& atoms, const ReasoningGraph& graph,
                       const std::vector<std::size_t>& number) {
    std::vector<Said> result;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        std::vector<std::string> body;
        for (const GraphLiteral literal : graph.literals(c)) body.push_back(atom_text(program, atoms, literal.atom()));
        std::ranges::sort(body);
        result.emplace_back(number[graph.clause[c]], atom_text(program, atoms, graph.head[c]), std::move(body));
    }
    std::ranges::sort(result);
    return result;
}

std::string describe(const Said& one) {
    return fmt::format("{} :- {} (clause {})", std::get<1>(one), fmt::join(std::get<2>(one), ", "), std::get<0>(one));
}

std::string difference(const std::vector<Said>& expected, const std::vector<Said>& actual) {
    const auto [e, a] = std::ranges::mismatch(expected, actual);
    if (e == expected.end() && a == actual.end()) return {};
    const bool lacks = a == actual.end() || (e != expected.end() && *e < *a);
    return fmt::format("{} ground clauses instead of {}; it {} {}", actual.size(), expected.size(),
                       lacks ? "lacks" : "should not have", describe(lacks ? *e : *a));
}

GroundOptions bounded_memory() {
    GroundOptions options;
    options.memory_limit = std::uint64_t{1} << 26;
    return options;
}

// Some of the predicates that have clauses, are not neural and have finitely many atoms; at least one if there are any.
std::vector<bool> choose_open(const Program& program, Rng& rng) {
    const TermBounds bounds(program.signature);
    std::vector<std::uint32_t> heads;
    for (const Clause& clause : program.clauses) {
        const PredicateDecl& predicate = program.signature.predicate(clause.head.predicate);
        const bool finite = std::ranges::all_of(predicate.args, [&](TypeId type) { return bounds.is_finite(type); });
        if (!predicate.neural && finite && std::ranges::find(heads, clause.head.predicate.value()) == heads.end())
            heads.push_back(clause.head.predicate.value());
    }
    std::vector<bool> open(program.signature.predicates().size(), false);
    if (heads.empty()) return open;
    open[heads[pick(rng, heads.size())]] = true;
    for (const std::uint32_t p : heads) open[p] = open[p] || rng.chance(0.3);
    return open;
}

Program without_queries(const std::string& text) {
    Program program = load(text, false);
    program.queries.clear();
    program.labels.clear();
    return program;
}

// A program without the clauses of its open predicates, which are grounded one by one.
struct Apart {
    Program program;
    std::vector<Clause> candidates;
    std::vector<std::size_t> background;  // which clauses of the text are left
    std::vector<std::size_t> taken;       // … and which are candidates

    Apart(const std::string& text, const std::vector<bool>& open) : program(without_queries(text)) {
        std::vector<Clause> rest;
        for (std::size_t c = 0; c < program.clauses.size(); ++c) {
            const bool is_open = open[program.clauses[c].head.predicate.index()];
            (is_open ? taken : background).push_back(c);
            (is_open ? candidates : rest).push_back(program.clauses[c]);
        }
        program.clauses = std::move(rest);
    }
};

std::string check_atoms(const Grounded& whole, const Program& program, const ClauseGrounder& grounder,
                        const ReasoningGraph& graph) {
    const AtomTable& atoms = grounder.atoms();
    if (atoms.size() != whole.ground.atoms.size())
        return fmt::format("{} atoms instead of {}", atoms.size(), whole.ground.atoms.size());
    for (std::uint32_t a = 0; a < atoms.size(); ++a) {
        if (atom_text(program, atoms, a) != whole.text_of(a)) return fmt::format("atom {} is another", a);
        if (graph.initial[a] != whole.ground.graph.initial[a]) return whole.text_of(a) + " starts elsewhere";
        if (grounder.find(atoms.predicate_of(AtomId(a)), atoms.args_of(AtomId(a))) != a)
            return whole.text_of(a) + " is not found";
    }
    return {};
}

std::string check_apart(const Case& one) {
    Rng rng(one.seed);
    Program program = without_queries(one.text);
    const std::vector<bool> open = choose_open(program, rng);
    for (std::uint32_t p = 0; p < open.size(); ++p) {
        PredicateDecl& predicate = program.signature.predicate(PredicateId(p));
        predicate.neural = predicate.neural || open[p];
    }
    const Grounded whole = ground_program(std::move(program), {});
    std::vector<std::size_t> all(whole.program.clauses.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    const std::vector<Said> expected = said(whole.program, whole.ground.atoms, whole.ground.graph, all);

    Apart apart(one.text, open);
    Diagnostics diagnostics;
    ClauseGrounder grounder(apart.program, open, bounded_memory(), diagnostics);
    if (grounder.background_clauses() != apart.background.size()) return "another number of clauses";
    std::vector<InstanceBlock> blocks;
    for (const Clause& clause : apart.candidates) blocks.push_back(grounder.ground(clause));
    for (std::size_t k = blocks.size(); k-- > 0;) {
        const InstanceBlock again = grounder.ground(apart.candidates[k]);
        if (again.width != blocks[k].width || !std::ranges::equal(again.rows, blocks[k].rows))
            return fmt::format("grounded again, candidate {} has other instances", k);
    }
    for (int round = 0; round < 2; ++round) {
        std::vector<std::size_t> order(blocks.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        if (round > 0) shuffle(order, rng);
        std::vector<const InstanceBlock*> added;
        std::vector<double> weights;
        std::vector<std::size_t> number = apart.background;
        for (const std::size_t k : order) {
            added.push_back(&blocks[k]);
            weights.push_back(apart.candidates[k].weight_value());
            number.push_back(apart.taken[k]);
        }
        const ReasoningGraph graph = grounder.assemble(added, weights);
        if (std::string wrong = check_atoms(whole, apart.program, grounder, graph); !wrong.empty()) return wrong;
        if (std::string wrong = difference(expected, said(apart.program, grounder.atoms(), graph, number));
            !wrong.empty())
            return wrong;
        for (std::size_t c = 0; c < number.size(); ++c) {
            if (graph.weight[c] != whole.ground.graph.weight[number[c]]) return "weights differ";
        }
    }
    return {};
}

// A part of the clauses: what the others derive is not there, but for the atoms of open predicates.
std::string check_some(const Case& one) {
    Rng rng(one.seed);
    const std::vector<bool> open = choose_open(without_queries(one.text), rng);
    Apart apart(one.text, open);
    Diagnostics diagnostics;
    ClauseGrounder grounder(apart.program, open, bounded_memory(), diagnostics);
    std::vector<InstanceBlock> blocks;
    for (const Clause& clause : apart.candidates) blocks.push_back(grounder.ground(clause));
    std::vector<const InstanceBlock*> all;
    std::vector<const InstanceBlock*> some;
    std::vector<std::size_t> all_numbers = apart.background;
    std::vector<std::size_t> some_numbers = apart.background;
    std::vector<bool> chosen(apart.background.size() + blocks.size(), true);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        all.push_back(&blocks[k]);
        all_numbers.push_back(apart.taken[k]);
        chosen[apart.taken[k]] = rng.chance(0.5);
        if (!chosen[apart.taken[k]]) continue;
        some.push_back(&blocks[k]);
        some_numbers.push_back(apart.taken[k]);
    }
    const std::vector<double> weights(blocks.size(), 1.0);
    std::vector<Said> expected = said(apart.program, grounder.atoms(), grounder.assemble(all, weights), all_numbers);
    std::erase_if(expected, [&](const Said& s) { return !chosen[std::get<0>(s)]; });
    return difference(expected, said(apart.program, grounder.atoms(), grounder.assemble(some, weights), some_numbers));
}

// Bounds are needed for open predicates only; other types may be without.
std::string check_unbounded(const Case& one) {
    Case unbounded = one;
    Rng rng(one.seed);
    std::erase_if(unbounded.source.declarations, [&](const std::string& text) {
        return (text.starts_with(":- max_") || text.starts_with(":- no_repeats")) && rng.chance(0.7);
    });
    unbounded.text = text_of(unbounded.source);
    std::string errors;
    load(unbounded.text, false, &errors);
    if (!errors.empty()) return {};
    try {
        return check_apart(unbounded);
    } catch (const std::logic_error& error) {
        // Finite, but too large all the same.
        if (std::string_view(error.what()).find("[memory-limit]") != std::string_view::npos) return {};
        throw;
    }
}

TEST(ClauseGrounderOracle, ClauseByClauseIsTheWholeProgram) { check_programs(20'000'000, 1000, check_apart); }
TEST(ClauseGrounderOracle, OtherTypesMayBeUnbounded) { check_programs(22'000'000, 500, check_unbounded); }
TEST(ClauseGrounderOracle, ClausesLeftOutLeaveTheOthersAsTheyAre) { check_programs(21'000'000, 300, check_some); }

}  // namespace
}  // namespace neumann::oracle
