#include "ground/clause_grounder.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "ground/join.h"
#include "ground/limit.h"
#include "ground/plan.h"

namespace neumann {
namespace {

// Grounds with the open predicates declared neural for the time being.
Instances ground_background(Program& program, const TermBounds& bounds, const std::vector<bool>& open,
                            const GroundOptions& options, Diagnostics& diagnostics) {
    std::vector<bool> neural;
    for (std::uint32_t p = 0; p < open.size(); ++p) {
        PredicateDecl& predicate = program.signature.predicate(PredicateId(p));
        neural.push_back(predicate.neural);
        predicate.neural = predicate.neural || open[p];
    }
    Instances instances = ground_relevant(program, bounds, compile_rules(program, bounds), options, diagnostics);
    for (std::uint32_t p = 0; p < open.size(); ++p) program.signature.predicate(PredicateId(p)).neural = neural[p];
    return instances;
}

}  // namespace

ClauseGrounder::ClauseGrounder(Program& program, const std::vector<bool>& open, const GroundOptions& options,
                               Diagnostics& diagnostics)
    : program_(program), bounds_(program.signature), options_(options),
      universe_(program, bounds_, memory_limit_of(options)), numbers_(program, 0) {
    options_.memory_limit = memory_limit_of(options);
    Instances instances = ground_background(program, bounds_, open, options_, diagnostics);
    atoms_ = std::move(instances.atoms);
    background_ = std::move(instances.blocks);
    initial_ = initial_values(program, atoms_);
    for (const Clause& clause : program.clauses) background_weights_.push_back(clause.weight_value());

    // Free variables of a clause range over a type of an open predicate, or of one that its body may use.
    std::vector<bool> wanted(program.signature.types().size(), false);
    const auto want_types_of = [&](PredicateId predicate) {
        for (const TypeId type : program.signature.predicate(predicate).args)
            wanted[type.index()] = wanted[type.index()] || bounds_.is_finite(type);
    };
    for (std::uint32_t p = 0; p < open.size(); ++p) {
        if (open[p]) want_types_of(PredicateId(p));
    }
    for (const Mode& mode : program.modes) want_types_of(mode.predicate);
    universe_.enumerate(wanted);
    for (std::uint32_t p = 0; p < open.size(); ++p) {
        const AtomTable::Range& range = atoms_.range(PredicateId(p));
        Relation& relation = relations_.emplace_back(program.signature.predicate(PredicateId(p)).args.size());
        for (std::uint32_t row = 0; row < range.count; ++row) {
            const std::span<const TermId> args = range.args.span().subspan(row * relation.arity(), relation.arity());
            relation.insert(args, Relation::hash(args));
        }
    }
}

std::optional<std::uint32_t> ClauseGrounder::find(PredicateId predicate, std::span<const TermId> args) const {
    const std::uint32_t row = relations_[predicate.index()].find(args, Relation::hash(args));
    if (row == SlotTable::absent) return std::nullopt;
    return atoms_.range(predicate).first + row;
}

InstanceBlock ClauseGrounder::ground(const Clause& clause) {
    InstanceBlock block;
    const std::optional<Rule> rule = compile_rule(program_, bounds_, clause);
    if (!rule) return block;
    shape_block(*rule, block);
    std::vector<RowRange> ranges;
    for (const RuleAtom& goal : rule->body) {
        ranges.push_back({0, relations_[goal.predicate.index()].size()});
        if (ranges.back().end == 0 && !goal.negated) return block;
    }
    if (!rule->arithmetic.empty()) numbers_.read_constants();
    const Plan plan = plan_join(program_.terms, *rule,
                                join_costs(program_.signature, universe_, relations_, numbers_, *rule), no_atom);
    const Relation& head = relations_[rule->head.predicate.index()];
    const std::uint32_t heads = head.size();
    const std::uint64_t row_bytes = bytes_per_instance(*rule);
    JoinContext context{program_.terms, bounds_, universe_, relations_, program_.signature, numbers_};
    run_join(context, *rule, plan, ranges, block, [&](std::size_t) {
        if (watch_) watch_();
        if (block.count() * row_bytes <= options_.memory_limit) return;
        throw GroundingLimit(clause.span, fmt::format("a candidate clause has more than {} instances", block.count()),
                             "bound the types of the learned predicate's arguments, or allow fewer variables");
    });
    if (rule->may_repeat) remove_repeated(block);
    if (head.size() != heads) throw std::logic_error("a clause derived an atom that is not there");
    std::vector<std::uint32_t> first = {atoms_.range(rule->head.predicate).first};
    for (const RuleAtom& goal : rule->body) first.push_back(atoms_.range(goal.predicate).first);
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
        if (block.rows[i] != InstanceBlock::missing) block.rows[i] += first[i % first.size()];
    }
    return block;
}

ReasoningGraph ClauseGrounder::assemble(std::span<const InstanceBlock* const> added,
                                        std::span<const double> weights) const {
    GraphInput input;
    input.blocks = background_;
    input.initial = initial_;
    for (const double weight : background_weights_) input.weight.push_back(weight);
    for (std::size_t k = 0; k < added.size(); ++k) {
        input.blocks.push_back(*added[k]);
        input.blocks.back().clause = static_cast<std::uint32_t>(background_weights_.size() + k);
        input.weight.push_back(weights[k]);
    }
    return build_graph(std::move(input), options_.threads, options_.parallel_from);
}

}  // namespace neumann
