// Relevant grounding: from facts and neural atoms forwards, rule by rule, until nothing new follows. Predicates are
// taken in strata; within a recursive stratum evaluation is semi-naive: every round joins the last round's new atoms
// with the rest, so that each ground clause comes up exactly once.
#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "ground/demand.h"
#include "ground/engine.h"
#include "ground/free_variables.h"
#include "ground/items.h"
#include "ground/join.h"
#include "ground/limit.h"
#include "ground/plan.h"
#include "ground/relation.h"
#include "ground/relevant_result.h"
#include "ground/strata.h"
#include "ground/universe.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t facts_ahead = 16;          // whose places in a relation are fetched before they are needed
constexpr std::uint64_t check_every = 1U << 16;  // instances between checks of the memory

// Calls may go deeper without end where facts do not: n(X) :- n(s(X)), asked n(z). Terms of calls that are so much
// deeper than all that were there before are taken for that.
constexpr std::uint32_t most_added_depth = 1'000;
struct EndlessCalls {};

class RelevantGrounder {
public:
    // `demand` may be null; else the rules are its.
    RelevantGrounder(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules, const Demand* demand,
                     const GroundOptions& options, Diagnostics& diagnostics)
        : program_(program), terms_(program.terms), bounds_(bounds), rules_(rules), options_(options),
          diagnostics_(diagnostics), universe_(program, bounds, options.memory_limit),
          numbers_(program, options.most_new_numbers, Growth::AllTypes),
          predicates_(program.signature.predicates().size() + (demand == nullptr ? 0 : demand->predicates.size())),
          dependencies_(dependencies_of(predicates_, rules)), strata_(stratify(dependencies_, predicates_, rules)),
          blocks_(rules.size()), seconds_(rules.size()) {
        for (const PredicateDecl& predicate : program.signature.predicates())
            relations_.emplace_back(predicate.args.size());
        program_bytes_ = bytes_of(program);
        if (demand != nullptr) {
            deepest_ = terms_.greatest_depth();
            for (const DemandedPredicate& predicate : demand->predicates)
                relations_.emplace_back(static_cast<std::size_t>(std::popcount(predicate.known)));
            for (const Demand::Seed& seed : demand->seeds) {
                // Atoms beyond their bounds do not exist, though a query may name them.
                if (std::ranges::all_of(seed.args, [&](TermId term) { return bounds.admits(terms_, term); }))
                    relations_[seed.guard.index()].insert(seed.args, Relation::hash(seed.args));
            }
        }
        initial_.resize(relations_.size());
        relation_bytes_.resize(relations_.size(), 0);
        for (std::size_t r = 0; r < rules.size(); ++r) {
            blocks_[r].clause = rules[r].clause;
            shape_block(rules[r], blocks_[r]);
        }
    }

    Instances run();

private:
    std::vector<bool> find_needed() const;
    void enumerate_universe(const std::vector<bool>& needed);
    void add_facts(const std::vector<bool>& needed);
    void add_neural_atoms(const std::vector<bool>& needed);
    void fill_items_for(const Stratum& stratum);
    void mark_certain_facts();
    void mark_certain(const Stratum& stratum);
    void ground_stratum(const Stratum& stratum);
    void check_calls(PredicateId guard) const;
    void join(std::uint32_t rule, std::uint32_t delta_atom);
    void report_refused_numbers();
    void count_instances(std::uint32_t rule, std::size_t added);
    void check_memory(std::uint32_t rule);
    std::uint64_t bytes() const;
    void measure(PredicateId predicate);

    bool is_recursive(const Rule& rule, const RuleAtom& goal) const {
        return strata_.stratum_of[goal.predicate.index()] == strata_.stratum_of[rule.head.predicate.index()];
    }

    Program& program_;
    TermTable& terms_;
    const TermBounds& bounds_;
    const std::vector<Rule>& rules_;
    const GroundOptions& options_;
    Diagnostics& diagnostics_;
    Universe universe_;
    NumberTable numbers_;
    std::size_t predicates_;     // of the program, and behind them those of guards
    std::uint32_t deepest_ = 0;  // of the program's terms
    DependencyGraph dependencies_;
    Strata strata_;
    std::vector<Relation> relations_;         // per predicate
    std::vector<PodVector<float>> initial_;   // per predicate: of the rows that are facts, which come first
    std::vector<RowRange> delta_;             // per predicate: the new rows of the last round
    std::vector<std::vector<bool>> certain_;  // per predicate and row, where there are items to go through
    std::vector<InstanceBlock> blocks_;       // per rule; rows hold row numbers of relations until the end
    std::vector<double> seconds_;             // per rule
    std::uint64_t instances_ = 0;
    std::uint64_t program_bytes_ = 0;
    // Sums that a join increases: measuring every relation after every rule takes too long if there are many.
    std::vector<std::uint64_t> relation_bytes_;  // per predicate, when it was last measured
    std::uint64_t all_relations_ = 0;
    std::uint64_t all_instances_ = 0;
};

Instances RelevantGrounder::run() {
    const std::vector<bool> needed = find_needed();
    enumerate_universe(needed);
    add_facts(needed);
    add_neural_atoms(needed);
    const bool counts = !program_.item_orders.empty();
    if (counts || std::ranges::any_of(rules_, [](const Rule& rule) { return !rule.arithmetic.empty(); }))
        numbers_.read_constants();
    certain_.resize(relations_.size());
    if (counts) mark_certain_facts();
    delta_.resize(relations_.size());
    for (const Stratum& stratum : strata_.order) {
        if (!needed[stratum.predicates.front().index()]) continue;
        fill_items_for(stratum);
        ground_stratum(stratum);
        if (counts) mark_certain(stratum);
    }
    report_refused_numbers();
    return in_canonical_order({program_, rules_, options_, relations_, initial_, blocks_, seconds_});
}

void RelevantGrounder::report_refused_numbers() {
    for (const RefusedNumber& refused : numbers_.refused()) {
        const TypeDecl& type = program_.signature.type(refused.type);
        const std::string range = type.range ? fmt::format(" ({}..{})", type.range->low, type.range->high) : "";
        diagnostics_.report(codes::outside_type, refused.span,
                            fmt::format("{} is outside the type '{}'{}: no atom is derived with it",
                                        print(refused.value), type.name, range),
                            "extend the type, or exclude the number with a condition, such as X < 10");
    }
}

std::vector<bool> RelevantGrounder::find_needed() const {
    const std::size_t predicates = relations_.size();
    if (program_.queries.empty() && program_.labels.empty()) return std::vector<bool>(predicates, true);
    std::vector<PredicateId> asked;
    for (const Query& query : program_.queries) asked.push_back(query.atom.predicate);
    for (const Atom& label : program_.labels) asked.push_back(label.predicate);
    for (const Evidence& one : program_.evidence) asked.push_back(one.atom.predicate);
    return dependencies_.needed_for(asked);
}

// Only types of free variables: arguments of neural predicates, and variables that a rule's body does not bind.
void RelevantGrounder::enumerate_universe(const std::vector<bool>& needed) {
    std::vector<bool> wanted(program_.signature.types().size(), false);
    for (std::size_t p = 0; p < program_.signature.predicates().size(); ++p) {
        const PredicateDecl& predicate = program_.signature.predicates()[p];
        if (!needed[p] || !predicate.neural) continue;
        for (TypeId type : predicate.args) wanted[type.index()] = true;
    }
    PlanCosts any;
    any.domain = [](TypeId) { return 1.0; };
    any.applications = [](FunctorId) { return 1.0; };
    any.scan = [](std::uint32_t, std::uint32_t) { return 1.0; };
    for (const Rule& rule : rules_) {
        if (!needed[rule.head.predicate.index()]) continue;
        for (const Step& step : plan_join(terms_, rule, any, no_atom).steps) {
            if (step.kind == StepKind::Domain || step.kind == StepKind::Apply)
                wanted[rule.slot_type[step.slot].index()] = true;
        }
    }
    universe_.enumerate(wanted);
}

void RelevantGrounder::add_facts(const std::vector<bool>& needed) {
    const FactList& facts = program_.facts;
    std::vector<std::size_t> count(relations_.size(), 0);
    for (std::size_t i = 0; i < facts.size(); ++i) ++count[facts[i].predicate.index()];
    for (std::size_t p = 0; p < relations_.size(); ++p) {
        if (needed[p]) relations_[p].reserve(count[p]);
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (i + facts_ahead < facts.size()) {
            const FactList::Fact later = facts[i + facts_ahead];
            relations_[later.predicate.index()].prefetch(Relation::hash(later.args));
        }
        const FactList::Fact fact = facts[i];
        const std::size_t p = fact.predicate.index();
        // Also a fact of probability 0: an example may give it another value.
        if (!needed[p]) continue;
        const std::uint32_t row = relations_[p].insert(fact.args, Relation::hash(fact.args));
        if (row >= initial_[p].size()) initial_[p].resize(row + 1, 0.0F);
        initial_[p][row] = initial_value(fact.probability);
    }
    for (std::size_t p = 0; p < relations_.size(); ++p) measure(checked_id<PredicateId>(p, "predicates"));
}

void RelevantGrounder::add_neural_atoms(const std::vector<bool>& needed) {
    for (std::size_t p = 0; p < program_.signature.predicates().size(); ++p) {
        const PredicateDecl& predicate = program_.signature.predicates()[p];
        if (!predicate.neural || !needed[p]) continue;
        const std::uint64_t count = universe_.count_atoms(predicate);
        if (saturating_add(bytes(), saturating_mul(count, bytes_per_atom(predicate.args.size()))) >
            options_.memory_limit) {
            throw GroundingLimit(predicate.span,
                                 fmt::format("neural predicate '{}' has {} atoms, too many for the memory limit of {}",
                                             print_indicator(predicate),
                                             count == saturated ? "more than 10^19" : fmt::format("{}", count),
                                             format_bytes(options_.memory_limit)),
                                 predicate.distinct ? "bound the types of its arguments"
                                                    : "bound the types of its arguments, or declare it distinct");
        }
        std::vector<TermId> args(predicate.args.size());
        const auto fill = [&](auto&& self, std::size_t place) -> void {
            if (place == args.size()) {
                relations_[p].insert(args, Relation::hash(args));
                return;
            }
            for (TermId term : universe_.terms(predicate.args[place])) {
                const bool repeated = std::find(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(place),
                                                term) != args.begin() + static_cast<std::ptrdiff_t>(place);
                if (predicate.distinct && repeated) continue;
                args[place] = term;
                self(self, place + 1);
            }
        };
        fill(fill, 0);
        measure(checked_id<PredicateId>(p, "predicates"));
    }
}

// Before the first rules that go through them; their source is complete then, because these rules negate it.
void RelevantGrounder::fill_items_for(const Stratum& stratum) {
    for (const std::uint32_t r : stratum.rules) {
        for (const RuleAtom& goal : rules_[r].body) {
            for (const ItemOrder& order : program_.item_orders) {
                if (goal.predicate != order.next || relations_[order.next.index()].size() > 0) continue;
                fill_items(order, program_, numbers_, relations_);
            }
        }
    }
}

void RelevantGrounder::mark_certain_facts() {
    for (std::size_t i = 0; i < program_.facts.size(); ++i) {
        const FactList::Fact fact = program_.facts[i];
        const std::size_t p = fact.predicate.index();
        if (fact.probability != 1 || program_.signature.predicates()[p].neural) continue;
        const std::uint32_t row = relations_[p].find(fact.args, Relation::hash(fact.args));
        if (row == SlotTable::absent) continue;
        certain_[p].resize(relations_[p].size(), false);
        certain_[p][row] = true;
    }
}

// The atoms that certain clauses derive from certain atoms, without negation.
void RelevantGrounder::mark_certain(const Stratum& stratum) {
    for (const PredicateId p : stratum.predicates) certain_[p.index()].resize(relations_[p.index()].size(), false);
    const auto is_certain = [&](const RuleAtom& goal, std::uint32_t row) {
        if (goal.negated) return row == InstanceBlock::missing;
        const std::vector<bool>& certain = certain_[goal.predicate.index()];
        return row < certain.size() && certain[row];
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const std::uint32_t r : stratum.rules) {
            const Rule& rule = rules_[r];
            if (rule.follows_calls || !program_.clauses[rule.clause].certain) continue;
            const std::span<const RuleAtom> body = rule.literals();
            const std::uint32_t* row = blocks_[r].rows.data();
            for (std::size_t i = 0; i < blocks_[r].count(); ++i, row += body.size() + 1) {
                std::vector<bool>& certain = certain_[rule.head.predicate.index()];
                if (certain[row[0]]) continue;
                bool all = true;
                for (std::size_t g = 0; g < body.size() && all; ++g) all = is_certain(body[g], row[g + 1]);
                if (all) certain[row[0]] = changed = true;
            }
        }
    }
}

void RelevantGrounder::ground_stratum(const Stratum& stratum) {
    std::vector<std::uint32_t> recursive;
    for (std::uint32_t r : stratum.rules) {
        const Rule& rule = rules_[r];
        const bool recurses =
            std::ranges::any_of(rule.body, [&](const RuleAtom& goal) { return is_recursive(rule, goal); });
        if (recurses) {
            recursive.push_back(r);
        } else {
            join(r, no_atom);
        }
    }
    if (recursive.empty()) return;
    for (PredicateId p : stratum.predicates) delta_[p.index()] = {0, relations_[p.index()].size()};
    for (bool more = true; more;) {
        for (std::uint32_t r : recursive) {
            for (std::uint32_t goal = 0; goal < rules_[r].body.size(); ++goal) {
                const RuleAtom& atom = rules_[r].body[goal];
                const RowRange delta = delta_[atom.predicate.index()];
                if (is_recursive(rules_[r], atom) && delta.begin < delta.end) join(r, goal);
            }
        }
        more = false;
        for (PredicateId p : stratum.predicates) {
            Relation& relation = relations_[p.index()];
            delta_[p.index()] = {delta_[p.index()].end, relation.size()};
            relation.refresh_indexes();
            more = more || delta_[p.index()].begin < relation.size();
            if (p.index() >= program_.signature.predicates().size()) check_calls(p);
        }
    }
}

// Of the last round.
void RelevantGrounder::check_calls(PredicateId guard) const {
    const RowRange added = delta_[guard.index()];
    for (std::uint32_t row = added.begin; row < added.end; ++row) {
        for (const TermId term : relations_[guard.index()].row(row))
            if (terms_.depth(term) > deepest_ + most_added_depth) throw EndlessCalls();
    }
}

// Joins the rule with `delta_atom` restricted to the last round's rows, recursive atoms before it to older rows and
// those after it to all rows up to the last round's. no_atom: a rule without recursion, joined once with all there is.
void RelevantGrounder::join(std::uint32_t r, std::uint32_t delta_atom) {
    const auto start = std::chrono::steady_clock::now();
    const Rule& rule = rules_[r];
    std::vector<RowRange> ranges;
    for (std::uint32_t goal = 0; goal < rule.body.size(); ++goal) {
        const std::size_t p = rule.body[goal].predicate.index();
        RowRange range{0, relations_[p].size()};
        if (is_recursive(rule, rule.body[goal])) {
            range.end = goal < delta_atom ? delta_[p].begin : delta_[p].end;
            if (goal == delta_atom) range.begin = delta_[p].begin;
        }
        if (range.begin == range.end && !rule.body[goal].negated) return;
        ranges.push_back(range);
    }
    const Plan plan =
        plan_join(terms_, rule, join_costs(program_.signature, universe_, relations_, numbers_, rule), delta_atom);
    if (delta_atom == no_atom)
        check_free_variables(program_, universe_, rule, plan, options_.memory_limit, diagnostics_);
    JoinContext context{terms_, bounds_, universe_, relations_, program_.signature, numbers_, &certain_};
    run_join(context, rule, plan, ranges, blocks_[r], [&](std::size_t added) { count_instances(r, added); });
    check_memory(r);
    seconds_[r] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t RelevantGrounder::bytes() const {
    return program_bytes_ + terms_.bytes() + numbers_.bytes() + all_relations_ + all_instances_;
}

void RelevantGrounder::measure(PredicateId predicate) {
    std::uint64_t& known = relation_bytes_[predicate.index()];
    const std::uint64_t now = relations_[predicate.index()].bytes();
    all_relations_ += now - known;
    known = now;
}

void RelevantGrounder::count_instances(std::uint32_t rule, std::size_t added) {
    if (!rules_[rule].follows_calls) all_instances_ += added * bytes_per_instance(rules_[rule]);
    if (instances_ / check_every != (instances_ + added) / check_every) check_memory(rule);
    instances_ += added;
}

void RelevantGrounder::check_memory(std::uint32_t rule) {
    require_budget("grounding");
    if (options_.progress != nullptr) options_.progress->update("grounding", instances_, 0);
    measure(rules_[rule].head.predicate);
    for (const RuleAtom& goal : rules_[rule].body) measure(goal.predicate);  // indexes
    const std::uint64_t used = bytes();
    if (used <= options_.memory_limit) return;
    throw GroundingLimit(
        program_.clauses[rules_[rule].clause].span,
        fmt::format("this clause has {} instances so far and grounding needs {}, beyond the memory limit of {}",
                    blocks_[rule].count(), format_bytes(used), format_bytes(options_.memory_limit)),
        "bound the types of its variables, ask a narrower query, or raise --memory-limit");
}

}  // namespace

Instances ground_relevant(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules,
                          const GroundOptions& options, Diagnostics& diagnostics) {
    const std::optional<Demand> demand = options.demand ? find_demand(program, rules) : std::nullopt;
    if (demand) {
        try {
            return RelevantGrounder(program, bounds, demand->rules, &*demand, options, diagnostics).run();
        } catch (const EndlessCalls&) {  // bottom-up evaluation may still terminate
        }
    }
    return RelevantGrounder(program, bounds, rules, nullptr, options, diagnostics).run();
}

}  // namespace neumann
