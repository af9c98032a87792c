#include "ground/join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "ground/bindings.h"
#include "ground/evaluation.h"

namespace neumann {
namespace {

constexpr std::size_t emit_batch = 64;   // heads with overlapping cache misses
constexpr std::uint32_t rows_ahead = 8;  // whose lookups are prepared

class JoinRunner {
public:
    JoinRunner(JoinContext& context, const Rule& rule, const Plan& plan, const std::vector<RowRange>& ranges,
               InstanceBlock& block, const std::function<void(std::size_t)>& added)
        : context_(context), terms_(context.terms), rule_(rule), plan_(plan), ranges_(ranges), roles_(term_roles(rule)),
          head_(context.relations[rule.head.predicate.index()]), block_(block), added_(added), values_(rule),
          matched_(rule.body.size(), InstanceBlock::missing) {
        for (const Step& step : plan.steps) {
            indexes_.push_back(nullptr);
            if (step.kind == StepKind::Apply) context.universe.index(rule_.functors[step.subject].functor, step.known);
            if (step.kind != StepKind::Scan || step.known == 0 || fully_known(step)) continue;
            indexes_.back() = &relation_of(step).index(step.known);
        }
        find_lookahead();
        if (!rule.arithmetic.empty())
            evaluation_.emplace(context.signature, terms_, rule, context.numbers, &context.numbers);
        batch_args_.resize(emit_batch * rule_.head.args.size());
        batch_rows_.resize(emit_batch * block.width);
    }

    void run() {
        step(0);
        flush();
    }

private:
    Relation& relation_of(const Step& step) { return context_.relations[rule_.body[step.subject].predicate.index()]; }
    bool fully_known(const Step& step) const {
        return step.known == all_arguments(rule_.body[step.subject].args.size());
    }

    void step(std::size_t at) {
        if (at == plan_.steps.size()) return emit();
        const Step& step = plan_.steps[at];
        switch (step.kind) {
        case StepKind::Scan:
            return scan(at);
        case StepKind::Domain: {
            for (TermId value : context_.universe.terms(rule_.slot_type[step.slot])) {
                values_[step.slot] = value;
                this->step(at + 1);
            }
            return;
        }
        case StepKind::Apply: {
            const FunctorUse& use = rule_.functors[step.subject];
            for (TermId term :
                 context_.universe.with_args(use.functor, step.known, values_.key_of(use.args, step.known))) {
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
            if (roles_[step.subject] == TermRole::Head) {
                if (!context_.bounds.admits(terms_, use.functor, args)) return;
                if (term.is_none()) term = terms_.compound(use.functor, args);
            }
            if (term.is_none() && roles_[step.subject] != TermRole::Negated) return;  // no atom contains it
            values_[use.result] = term;
            this->step(at + 1);
            return;
        }
        case StepKind::Different: {
            const auto [a, b] = rule_.different[step.subject];
            if (!values_.same(terms_, a, b)) this->step(at + 1);
            return;
        }
        case StepKind::Negated: {
            // A row that is absent now stays absent: the relation was complete before this rule's turn.
            const std::span<const TermId> key = values_.key_of(rule_.body[step.subject].args);
            const std::uint32_t row = relation_of(step).find(key, Relation::hash(key));
            if (row == SlotTable::absent) return visit(at, InstanceBlock::missing);
            const RuleAtom& goal = rule_.body[step.subject];
            // Items that surely hold leave one way through the others, not one for every number.
            const bool surely = rule_.through_items && is_certain(goal.predicate, row);
            if (!goal.guard && !surely) visit(at, row);
            return;
        }
        case StepKind::Compare:
            if (evaluation_->holds(step.subject, values_)) this->step(at + 1);
            return;
        case StepKind::Compute:
            if (evaluation_->compute(step.subject, step.slot, values_)) this->step(at + 1);
            return;
        case StepKind::Solve:
            for (const TermId term : evaluation_->solutions(step.subject, step.slot, values_)) {
                values_[step.slot] = term;
                this->step(at + 1);
            }
            return;
        case StepKind::Create:
            if (evaluation_->create(step.subject, step.slot, values_)) this->step(at + 1);
            return;
        case StepKind::Enumerate:
            for (const std::int64_t number : evaluation_->range(step.subject, step.slot, values_)) {
                if (evaluation_->bind(step.subject, step.slot, number, values_)) this->step(at + 1);
            }
            return;
        }
    }

    bool is_certain(PredicateId predicate, std::uint32_t row) const {
        if (context_.certain == nullptr) return false;
        const std::vector<bool>& certain = (*context_.certain)[predicate.index()];
        return row < certain.size() && certain[row];
    }

    // If the first step scans rows and the second looks up one of their arguments, the entries for later rows can be
    // prefetched.
    void find_lookahead() {
        if (plan_.steps.size() < 2 || plan_.steps[0].kind != StepKind::Scan || indexes_[0] != nullptr ||
            plan_.steps[1].kind != StepKind::Scan || indexes_[1] == nullptr || !indexes_[1]->by_term())
            return;
        const auto place = static_cast<std::size_t>(std::countr_zero(plan_.steps[1].known));
        const std::vector<Slot>& args = rule_.body[plan_.steps[0].subject].args;
        const auto found = std::ranges::find(args, rule_.body[plan_.steps[1].subject].args[place]);
        if (found != args.end()) ahead_ = static_cast<std::size_t>(found - args.begin());
    }
    void look_ahead(const Relation& relation, std::uint32_t row, std::uint32_t end) const {
        if (row + 2 * rows_ahead < end) indexes_[1]->prefetch_group(relation.row(row + 2 * rows_ahead)[*ahead_]);
        if (row + rows_ahead < end) indexes_[1]->prefetch_rows(relation.row(row + rows_ahead)[*ahead_]);
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
            for (std::uint32_t row = range.begin; row < range.end; ++row) {
                if (at == 0 && ahead_) look_ahead(relation, row, range.end);
                try_row(at, relation, row);
            }
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
        TermId* args = batch_args_.data() + batch_size_ * rule_.head.args.size();
        for (const Slot s : rule_.head.args) *args++ = values_[s];
        std::uint32_t* row = batch_rows_.data() + batch_size_ * block_.width;
        for (std::uint32_t i = 0; i < block_.width; ++i) row[i] = matched_[i];
        if (++batch_size_ == emit_batch) flush();
    }

    // Heads found now are beyond the range of every scan of this round, so adding them late changes nothing.
    void flush() {
        const std::size_t arity = rule_.head.args.size();
        const std::size_t width = block_.width;
        std::array<std::uint32_t, emit_batch> hashes;
        const auto head = [&](std::size_t i) { return std::span<const TermId>(batch_args_.data() + i * arity, arity); };
        for (std::size_t i = 0; i < batch_size_; ++i) {
            hashes[i] = Relation::hash(head(i));
            head_.prefetch(hashes[i]);
        }
        for (std::size_t i = 0; i < batch_size_; ++i) head_.prefetch_row(hashes[i]);
        if (rule_.follows_calls) {
            for (std::size_t i = 0; i < batch_size_; ++i) head_.insert(head(i), hashes[i]);
        } else {
            std::uint32_t* out = block_.rows.extend(batch_size_ * (width + 1));
            for (std::size_t i = 0; i < batch_size_; ++i) {
                *out++ = head_.insert(head(i), hashes[i]);
                out = std::copy_n(batch_rows_.data() + i * width, width, out);
            }
        }
        added_(batch_size_);
        batch_size_ = 0;
    }

    JoinContext& context_;
    TermTable& terms_;
    const Rule& rule_;
    const Plan& plan_;
    const std::vector<RowRange>& ranges_;        // per body atom
    std::vector<const RelationIndex*> indexes_;  // per step
    std::optional<std::size_t> ahead_;           // the argument of the first step's rows that the second looks up
    std::vector<TermRole> roles_;                // per functor use
    Relation& head_;
    InstanceBlock& block_;
    const std::function<void(std::size_t)>& added_;
    Bindings values_;
    std::optional<Evaluation> evaluation_;  // of a rule with arithmetic
    std::vector<std::uint32_t> matched_;    // per body atom: its row, or missing
    std::size_t batch_size_ = 0;
    std::vector<TermId> batch_args_;
    std::vector<std::uint32_t> batch_rows_;
};

}  // namespace

PlanCosts join_costs(const Signature& signature, const Universe& universe, const std::vector<Relation>& relations,
                     const NumberTable& numbers, const Rule& rule) {
    PlanCosts costs;
    costs.only_numbers = [&signature, &numbers](TypeId type) {
        return numbers.has_only_numbers(type) && std::ranges::none_of(signature.functors(), [&](const FunctorDecl& f) {
                   return f.result == type && !f.operation;
               });
    };
    // Types that were not enumerated have no tables to range over.
    constexpr double never = std::numeric_limits<double>::infinity();
    costs.domain = [&universe](TypeId type) {
        return universe.is_enumerated(type) ? static_cast<double>(universe.terms(type).size()) : never;
    };
    costs.applications = [&signature, &universe](FunctorId f) {
        return universe.is_enumerated(signature.functor(f).result)
                   ? static_cast<double>(universe.applications(f).size())
                   : never;
    };
    // A relation of n rows and k columns is taken to have n^(1/k) values per column.
    costs.scan = [&relations, &rule](std::uint32_t atom, std::uint32_t known) {
        const Relation& relation = relations[rule.body[atom].predicate.index()];
        const auto arity = static_cast<double>(relation.arity());
        const auto bound = static_cast<double>(__builtin_popcount(known));
        return arity == 0 ? 1.0 : std::pow(static_cast<double>(relation.size()), (arity - bound) / arity);
    };
    return costs;
}

void run_join(JoinContext& context, const Rule& rule, const Plan& plan, const std::vector<RowRange>& ranges,
              InstanceBlock& block, const std::function<void(std::size_t)>& added) {
    JoinRunner(context, rule, plan, ranges, block, added).run();
}

}  // namespace neumann
