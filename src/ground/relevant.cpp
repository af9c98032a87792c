// Relevant grounding: from facts and neural atoms forwards, rule by rule, until nothing new follows. Predicates are taken
// in strata; within a recursive stratum evaluation is semi-naive: every round joins what the last round found with the
// rest, so that each ground clause comes up exactly once.
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ground/bindings.h"
#include "ground/canonical_order.h"
#include "ground/engine.h"
#include "ground/limit.h"
#include "ground/plan.h"
#include "ground/relation.h"
#include "ground/strata.h"
#include "ground/universe.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t emit_batch = 64;              // heads looked up together, so that their cache misses overlap
constexpr std::uint64_t check_every = 1U << 16;     // instances between looks at the memory
constexpr double large_rule_instances = 1e6;        // free variables that multiply a rule beyond this are worth a warning

// Which rows of a relation a scan sees; rows beyond `end` belong to a later round.
struct RowRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class RelevantGrounder {
public:
    RelevantGrounder(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules, const GroundOptions& options,
                     Diagnostics& diagnostics)
        : program_(program), terms_(program.terms), bounds_(bounds), rules_(rules), options_(options), diagnostics_(diagnostics),
          universe_(program, bounds, options.memory_limit), strata_(stratify(program.signature.predicates().size(), rules)) {
        for (const PredicateDecl& predicate : program.signature.predicates()) relations_.emplace_back(predicate.args.size());
        blocks_.resize(rules.size());
        seconds_.resize(rules.size(), 0);
        for (std::size_t r = 0; r < rules.size(); ++r) {
            blocks_[r].clause = rules[r].clause;
            blocks_[r].width = static_cast<std::uint32_t>(rules[r].body.size());
            blocks_[r].may_collapse = may_collapse(rules[r]);
        }
    }

    Instances run();

private:
    friend class JoinRunner;

    std::vector<bool> find_needed() const;
    void enumerate_universe(const std::vector<bool>& needed);
    void add_facts(const std::vector<bool>& needed);
    void add_neural_atoms(const std::vector<bool>& needed);
    void ground_stratum(const Stratum& stratum);
    void join(std::uint32_t rule, std::uint32_t delta_atom);
    PlanCosts costs(const Rule& rule);
    void warn_if_large(const Rule& rule, const Plan& plan);
    void check_memory(std::uint32_t rule);
    std::uint64_t bytes() const;
    Instances finish();

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
    Strata strata_;
    std::vector<Relation> relations_;     // per predicate
    std::vector<RowRange> delta_;         // per predicate: what the last round found
    std::vector<InstanceBlock> blocks_;   // per rule; rows hold row numbers of relations until finish()
    std::vector<double> seconds_;         // per rule
    std::uint64_t instances_ = 0;
};

// Runs one join of one rule: nested loops over the steps of its plan.
class JoinRunner {
public:
    JoinRunner(RelevantGrounder& grounder, std::uint32_t rule, const Plan& plan, const std::vector<RowRange>& ranges)
        : grounder_(grounder), terms_(grounder.terms_), rule_index_(rule), rule_(grounder.rules_[rule]), plan_(plan), ranges_(ranges),
          head_only_(head_only_functors(rule_)), head_(grounder.relations_[rule_.head.predicate.index()]),
          block_(grounder.blocks_[rule]), values_(rule_), matched_(rule_.body.size()) {
        for (const Step& step : plan.steps) {
            indexes_.push_back(nullptr);
            if (step.kind == StepKind::Apply) grounder.universe_.index(rule_.functors[step.subject].functor, step.known);
            if (step.kind != StepKind::Scan || step.known == 0 || fully_known(step)) continue;
            indexes_.back() = &relation_of(step).index(step.known);
        }
        batch_args_.reserve(emit_batch * rule_.head.args.size());
        batch_rows_.reserve(emit_batch * rule_.body.size());
    }

    void run() {
        step(0);
        flush();
    }

private:
    Relation& relation_of(const Step& step) { return grounder_.relations_[rule_.body[step.subject].predicate.index()]; }
    bool fully_known(const Step& step) const {
        const std::size_t arity = rule_.body[step.subject].args.size();
        return arity == 0 || step.known == 0xffffffffU >> (32 - arity);
    }

    void step(std::size_t at) {
        if (at == plan_.steps.size()) return emit();
        const Step& step = plan_.steps[at];
        switch (step.kind) {
            case StepKind::Scan: return scan(at);
            case StepKind::Domain: {
                for (TermId value : grounder_.universe_.terms(rule_.slot_type[step.slot])) {
                    values_[step.slot] = value;
                    this->step(at + 1);
                }
                return;
            }
            case StepKind::Apply: {
                const FunctorUse& use = rule_.functors[step.subject];
                for (TermId term : grounder_.universe_.with_args(use.functor, step.known, values_.key_of(use.args, step.known))) {
                    if (!values_.bind(use.args, terms_.args(term), step.known)) continue;
                    values_[use.result] = term;
                    this->step(at + 1);
                }
                return;
            }
            case StepKind::Destructure: {
                if (values_.destructure(terms_, rule_.functors[step.subject], step.known)) this->step(at + 1);
                return;
            }
            case StepKind::Construct: {
                const FunctorUse& use = rule_.functors[step.subject];
                const std::span<const TermId> args = values_.key_of(use.args);
                TermId term = terms_.find_compound(use.functor, args);
                if (head_only_[step.subject]) {
                    if (!grounder_.bounds_.admits(terms_, use.functor, args)) return;
                    if (term.is_none()) term = terms_.compound(use.functor, args);
                }
                if (term.is_none()) return;  // no atom contains it
                values_[use.result] = term;
                this->step(at + 1);
                return;
            }
            case StepKind::Different: {
                const auto [a, b] = rule_.different[step.subject];
                if (values_[a] != values_[b]) this->step(at + 1);
                return;
            }
        }
    }

    void scan(std::size_t at) {
        const Step& step = plan_.steps[at];
        const RuleAtom& goal = rule_.body[step.subject];
        const RowRange range = ranges_[step.subject];
        const Relation& relation = relation_of(step);
        if (fully_known(step)) {
            const std::span<const TermId> key = values_.key_of(goal.args);
            const std::uint32_t row = relation.find(key, Relation::hash(key));
            if (row >= range.begin && row < range.end) visit(at, row);
            return;
        }
        if (indexes_[at] == nullptr) {
            for (std::uint32_t row = range.begin; row < range.end; ++row) try_row(at, relation, row);
            return;
        }
        const std::span<const std::uint32_t> rows = indexes_[at]->rows(relation, values_.key_of(goal.args, step.known));
        auto it = range.begin == 0 ? rows.begin() : std::lower_bound(rows.begin(), rows.end(), range.begin);
        for (; it != rows.end() && *it < range.end; ++it) try_row(at, relation, *it);
    }

    void try_row(std::size_t at, const Relation& relation, std::uint32_t row) {
        const Step& step = plan_.steps[at];
        if (values_.bind(rule_.body[step.subject].args, relation.row(row), step.known)) visit(at, row);
    }
    void visit(std::size_t at, std::uint32_t row) {
        matched_[plan_.steps[at].subject] = row;
        step(at + 1);
    }

    void emit() {
        for (Slot s : rule_.head.args) batch_args_.push_back(values_[s]);
        batch_rows_.insert(batch_rows_.end(), matched_.begin(), matched_.end());
        if (++batch_size_ == emit_batch) flush();
    }

    // Heads found now are beyond the range of every scan of this round, so adding them late changes nothing.
    void flush() {
        const std::size_t arity = rule_.head.args.size();
        const std::size_t width = rule_.body.size();
        std::array<std::uint32_t, emit_batch> hashes;
        const auto head = [&](std::size_t i) { return std::span<const TermId>(batch_args_.data() + i * arity, arity); };
        for (std::size_t i = 0; i < batch_size_; ++i) {
            hashes[i] = Relation::hash(head(i));
            head_.prefetch(hashes[i]);
        }
        std::uint32_t* out = block_.rows.extend(batch_size_ * (width + 1));
        for (std::size_t i = 0; i < batch_size_; ++i) {
            *out++ = head_.insert(head(i), hashes[i]);
            out = std::copy_n(batch_rows_.data() + i * width, width, out);
        }
        if (grounder_.instances_ / check_every != (grounder_.instances_ + batch_size_) / check_every) grounder_.check_memory(rule_index_);
        grounder_.instances_ += batch_size_;
        batch_size_ = 0;
        batch_args_.clear();
        batch_rows_.clear();
    }

    RelevantGrounder& grounder_;
    TermTable& terms_;
    std::uint32_t rule_index_;
    const Rule& rule_;
    const Plan& plan_;
    const std::vector<RowRange>& ranges_;       // per body atom
    std::vector<const RelationIndex*> indexes_;  // per step
    std::vector<bool> head_only_;
    Relation& head_;
    InstanceBlock& block_;
    Bindings values_;
    std::vector<std::uint32_t> matched_;         // per body atom: its row
    std::size_t batch_size_ = 0;
    std::vector<TermId> batch_args_;
    std::vector<std::uint32_t> batch_rows_;
};

Instances RelevantGrounder::run() {
    const std::vector<bool> needed = find_needed();
    enumerate_universe(needed);
    add_facts(needed);
    add_neural_atoms(needed);
    delta_.resize(relations_.size());
    for (const Stratum& stratum : strata_.order) {
        if (needed[stratum.predicates.front().index()]) ground_stratum(stratum);
    }
    return finish();
}

std::vector<bool> RelevantGrounder::find_needed() const {
    const std::size_t predicates = relations_.size();
    if (program_.queries.empty() && program_.labels.empty()) return std::vector<bool>(predicates, true);
    std::vector<PredicateId> asked;
    for (const Query& query : program_.queries) asked.push_back(query.atom.predicate);
    for (const Atom& label : program_.labels) asked.push_back(label.predicate);
    return needed_predicates(predicates, rules_, asked);
}

// Only types that something ranges over: arguments of neural predicates, and what a rule's body leaves open.
void RelevantGrounder::enumerate_universe(const std::vector<bool>& needed) {
    std::vector<bool> wanted(program_.signature.types().size(), false);
    for (std::size_t p = 0; p < needed.size(); ++p) {
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
        for (const Step& step : plan_join(rule, any, no_atom).steps) {
            if (step.kind == StepKind::Domain || step.kind == StepKind::Apply) wanted[rule.slot_type[step.slot].index()] = true;
        }
    }
    universe_.enumerate(std::move(wanted));
}

void RelevantGrounder::add_facts(const std::vector<bool>& needed) {
    for (std::size_t i = 0; i < program_.facts.size(); ++i) {
        const FactList::Fact fact = program_.facts[i];
        // Also a fact of probability 0: an example may give it another value.
        if (!needed[fact.predicate.index()]) continue;
        relations_[fact.predicate.index()].insert(fact.args, Relation::hash(fact.args));
    }
}

void RelevantGrounder::add_neural_atoms(const std::vector<bool>& needed) {
    for (std::size_t p = 0; p < needed.size(); ++p) {
        const PredicateDecl& predicate = program_.signature.predicates()[p];
        if (!predicate.neural || !needed[p]) continue;
        const auto id = checked_id<PredicateId>(p, "predicates");
        std::uint64_t count = 1;
        for (TypeId type : predicate.args) count = saturating_mul(count, universe_.terms(type).size());
        if (saturating_mul(count, 32 + 8 * predicate.args.size()) > options_.memory_limit && !predicate.distinct) {
            throw GroundingLimit(predicate.span,
                                 fmt::format("neural predicate '{}' has {} atoms, too many for the memory limit of {}",
                                             print_indicator(predicate), count, format_bytes(options_.memory_limit)),
                                 "bound the types of its arguments, or declare it distinct");
        }
        std::vector<TermId> args(predicate.args.size());
        const auto fill = [&](auto&& self, std::size_t place) -> void {
            if (place == args.size()) {
                relations_[p].insert(args, Relation::hash(args));
                return;
            }
            for (TermId term : universe_.terms(predicate.args[place])) {
                const bool repeated = std::find(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(place), term) !=
                                      args.begin() + static_cast<std::ptrdiff_t>(place);
                if (predicate.distinct && repeated) continue;
                args[place] = term;
                self(self, place + 1);
            }
        };
        fill(fill, 0);
        if (bytes() > options_.memory_limit) {
            throw GroundingLimit(program_.signature.predicate(id).span,
                                 fmt::format("neural predicate '{}' has {} atoms, too many for the memory limit of {}", print_indicator(predicate),
                                             relations_[p].size(), format_bytes(options_.memory_limit)),
                                 "bound the types of its arguments");
        }
    }
}

void RelevantGrounder::ground_stratum(const Stratum& stratum) {
    std::vector<std::uint32_t> recursive;
    for (std::uint32_t r : stratum.rules) {
        const Rule& rule = rules_[r];
        const bool recurses = std::ranges::any_of(rule.body, [&](const RuleAtom& goal) { return is_recursive(rule, goal); });
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
        }
    }
}

// Joins the rule with `delta_atom` restricted to the last round's rows, recursive atoms before it to older rows and those
// after it to all rows up to the last round's. no_atom: a rule without recursion, joined once with all there is.
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
        if (range.begin == range.end) return;
        ranges.push_back(range);
    }
    const Plan plan = plan_join(rule, costs(rule), delta_atom);
    if (delta_atom == no_atom) warn_if_large(rule, plan);
    JoinRunner(*this, r, plan, ranges).run();
    seconds_[r] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

PlanCosts RelevantGrounder::costs(const Rule& rule) {
    PlanCosts costs;
    costs.domain = [&](TypeId type) { return static_cast<double>(universe_.terms(type).size()); };
    costs.applications = [&](FunctorId f) { return static_cast<double>(universe_.applications(f).size()); };
    // A relation of n rows and k columns is taken to have n^(1/k) values per column.
    costs.scan = [this, &rule](std::uint32_t atom, std::uint32_t known) {
        const Relation& relation = relations_[rule.body[atom].predicate.index()];
        const auto arity = static_cast<double>(relation.arity());
        const auto bound = static_cast<double>(__builtin_popcount(known));
        return arity == 0 ? 1.0 : std::pow(static_cast<double>(relation.size()), (arity - bound) / arity);
    };
    return costs;
}

void RelevantGrounder::warn_if_large(const Rule& rule, const Plan& plan) {
    double product = 1;
    std::vector<Slot> slots;
    std::vector<std::uint64_t> sizes;
    for (const Step& step : plan.steps) {
        if (step.kind != StepKind::Domain && step.kind != StepKind::Apply) continue;
        const std::uint64_t size = universe_.terms(rule.slot_type[step.slot]).size();
        product *= static_cast<double>(size);
        slots.push_back(step.slot);
        sizes.push_back(size);
    }
    if (product < large_rule_instances) return;
    diagnostics_.report(codes::large_rule, program_.clauses[rule.clause].span,
                        fmt::format("head variables that the body does not bind multiply this clause: {}",
                                    describe_domains(program_, rule, slots, sizes)),
                        "bind them in the body, or bound their types");
}

std::uint64_t RelevantGrounder::bytes() const {
    std::uint64_t total = terms_.bytes();
    for (const Relation& relation : relations_) total += relation.bytes();
    for (std::size_t r = 0; r < blocks_.size(); ++r) total += blocks_[r].count() * bytes_per_instance(rules_[r]);
    return total;
}

void RelevantGrounder::check_memory(std::uint32_t rule) {
    if (options_.progress != nullptr) options_.progress->update("grounding", instances_, 0);
    const std::uint64_t used = bytes();
    if (used <= options_.memory_limit) return;
    const std::uint64_t count = blocks_[rule].count();
    throw GroundingLimit(program_.clauses[rules_[rule].clause].span,
                         fmt::format("this clause has {} instances so far and grounding needs {}, beyond the memory limit of {}", count,
                                     format_bytes(used), format_bytes(options_.memory_limit)),
                         "bound the types of its variables, ask a narrower query, or raise --memory-limit");
}

// Discovery order → canonical order.
Instances RelevantGrounder::finish() {
    Instances result;
    result.atoms = AtomTable(relations_.size());
    const CanonicalTermOrder order(terms_);
    std::vector<PodVector<std::uint32_t>> number_of(relations_.size());
    for (std::size_t p = 0; p < relations_.size(); ++p) {
        const std::uint32_t count = relations_[p].size();
        const std::size_t arity = relations_[p].arity();
        SortedRows sorted = sort_rows(order, relations_[p].release_rows(), arity, count);
        for (std::uint32_t& number : sorted.new_row) number += result.atoms.size();
        number_of[p] = std::move(sorted.new_row);
        result.atoms.add(checked_id<PredicateId>(p, "predicates"), count, SharedArray(std::move(sorted.rows)));
    }
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        std::vector<const std::uint32_t*> columns = {number_of[rules_[r].head.predicate.index()].data()};
        for (const RuleAtom& goal : rules_[r].body) columns.push_back(number_of[goal.predicate.index()].data());
        std::uint32_t* value = blocks_[r].rows.data();
        for (std::size_t i = 0; i < blocks_[r].count(); ++i) {
            for (const std::uint32_t* column : columns) {
                *value = column[*value];
                ++value;
            }
        }
    }
    result.blocks = std::move(blocks_);
    result.seconds = std::move(seconds_);
    return result;
}

}  // namespace

Instances ground_relevant(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules, const GroundOptions& options,
                          Diagnostics& diagnostics) {
    return RelevantGrounder(program, bounds, rules, options, diagnostics).run();
}

}  // namespace neumann
