#include "ground/instance_filler.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "graph/build.h"
#include "ground/limit.h"

namespace neumann {

InstanceFiller::InstanceFiller(const Universe& universe, const TermTable& terms,
                               const std::vector<AtomNumbering>& numbering, const Rule& rule, const Plan& plan,
                               std::optional<Evaluation> evaluation)
    : universe_(universe), terms_(terms), numbering_(numbering), rule_(rule), plan_(plan), roles_(term_roles(rule)),
      values_(rule), evaluation_(std::move(evaluation)), width_(rule.body.size() + 1) {
    atoms_.push_back(&rule.head);
    for (const RuleAtom& goal : rule.body) atoms_.push_back(&goal);
    find_tail();
    outer_ = 0;
    while (outer_ < plan.steps.size() && plan.steps[outer_].kind != StepKind::Domain &&
           plan.steps[outer_].kind != StepKind::Apply && plan.steps[outer_].kind != StepKind::Enumerate) {
        ++outer_;
    }
}

std::uint32_t InstanceFiller::outer_size() {
    size_only_ = true;
    outer_items_ = 1;
    if (outer_ < plan_.steps.size()) {
        outer_items_ = 0;
        run(0);
    }
    size_only_ = false;
    return outer_items_;
}

std::uint64_t InstanceFiller::count(std::uint32_t begin, std::uint32_t end, std::uint64_t most) {
    most_ = most;
    begin_ = begin;
    end_ = end;
    out_ = nullptr;
    count_ = 0;
    run(0);
    return count_;
}

void InstanceFiller::fill(std::uint32_t begin, std::uint32_t end, std::uint32_t* out) {
    begin_ = begin;
    end_ = end;
    out_ = out;
    run(0);
}

// The tail: the trailing domain loops whose slots enter atom numbers only linearly, and no negated atom, which may be
// missing. There the numbers are advanced by
// addition, and counting multiplies instead of looping.
void InstanceFiller::find_tail() {
    tail_ = plan_.steps.size();
    while (tail_ > 0 && plan_.steps[tail_ - 1].kind == StepKind::Domain) {
        const Slot slot = plan_.steps[tail_ - 1].slot;
        const bool linear = std::ranges::none_of(atoms_, [&](const RuleAtom* atom) {
            return (atom->negated || numbering_[atom->predicate.index()].distinct) &&
                   std::ranges::find(atom->args, slot) != atom->args.end();
        });
        if (!linear) break;
        --tail_;
    }
    const std::size_t depth = plan_.steps.size() - tail_;
    coefficients_.assign(depth * width_, 0);
    bases_.assign((depth + 1) * width_, 0);
    for (std::size_t d = 0; d < depth; ++d) {
        const Slot slot = plan_.steps[tail_ + d].slot;
        for (std::size_t a = 0; a < width_; ++a) {
            const AtomNumbering& numbering = numbering_[atoms_[a]->predicate.index()];
            for (std::size_t i = 0; i < atoms_[a]->args.size(); ++i) {
                if (atoms_[a]->args[i] == slot)
                    coefficients_[d * width_ + a] += static_cast<std::uint32_t>(numbering.stride[i]);
            }
        }
    }
}

std::pair<std::uint32_t, std::uint32_t> InstanceFiller::bounds_of(std::size_t step, std::size_t size) {
    const auto all = static_cast<std::uint32_t>(size);
    if (step != outer_) return {0, all};
    if (size_only_) {
        outer_items_ += all;
        return {0, 0};
    }
    return {begin_, end_};
}

void InstanceFiller::run(std::size_t at) {
    if (out_ == nullptr && count_ > most_) return;  // enough is known
    if (at == tail_) return run_tail();
    const Step& step = plan_.steps[at];
    switch (step.kind) {
    case StepKind::Domain: {
        const std::span<const TermId> domain = universe_.terms(rule_.slot_type[step.slot]);
        const auto [begin, end] = bounds_of(at, domain.size());
        for (std::uint32_t i = begin; i < end; ++i) {
            values_[step.slot] = domain[i];
            run(at + 1);
        }
        return;
    }
    case StepKind::Apply: {
        const FunctorUse& use = rule_.functors[step.subject];
        const std::span<const TermId> found =
            universe_.with_args(use.functor, step.known, values_.key_of(use.args, step.known));
        const auto [begin, end] = bounds_of(at, found.size());
        for (std::uint32_t i = begin; i < end; ++i) {
            if (values_.bind(use.args, terms_.args(found[i]), step.known)) {
                values_[use.result] = found[i];
                run(at + 1);
            }
        }
        return;
    }
    case StepKind::Destructure: {
        if (values_.destructure(terms_, rule_.functors[step.subject], step.known)) run(at + 1);
        return;
    }
    case StepKind::Construct: {
        const FunctorUse& use = rule_.functors[step.subject];
        TermId term = terms_.find_compound(use.functor, values_.key_of(use.args));
        if (!term.is_none() && !universe_.contains(term)) term = TermId::none();
        if (term.is_none() && roles_[step.subject] != TermRole::Negated) return;
        values_[use.result] = term;
        run(at + 1);
        return;
    }
    case StepKind::Different: {
        const auto [a, b] = rule_.different[step.subject];
        if (!values_.same(terms_, a, b)) run(at + 1);
        return;
    }
    case StepKind::Compare:
        if (evaluation_->holds(step.subject, values_)) run(at + 1);
        return;
    case StepKind::Compute:
        if (evaluation_->compute(step.subject, step.slot, values_)) run(at + 1);
        return;
    case StepKind::Create:
        if (evaluation_->create(step.subject, step.slot, values_)) run(at + 1);
        return;
    case StepKind::Enumerate: {
        const std::vector<std::int64_t> numbers = evaluation_->range(step.subject, step.slot, values_);
        const auto [begin, end] = bounds_of(at, numbers.size());
        for (std::uint32_t i = begin; i < end; ++i) {
            if (evaluation_->bind(step.subject, step.slot, numbers[i], values_)) run(at + 1);
        }
        return;
    }
    case StepKind::Scan:
    case StepKind::Solve:
    case StepKind::Negated:
        assert(false);
        return;
    }
}

// Whether there is an atom with these arguments: a term may be missing, and a predicate may be declared distinct.
bool InstanceFiller::exists(const RuleAtom& atom) const {
    const AtomNumbering& numbering = numbering_[atom.predicate.index()];
    for (std::size_t i = 0; i < atom.args.size(); ++i) {
        const TermId value = values_[atom.args[i]];
        if (value.is_none()) return false;
        for (std::size_t j = 0; numbering.distinct && j < i; ++j) {
            if (numbering.types[j] == numbering.types[i] && values_[atom.args[j]] == value) return false;
        }
    }
    return true;
}

std::uint64_t InstanceFiller::number_of(const RuleAtom& atom) const {
    if (atom.negated && !exists(atom)) return InstanceBlock::missing;
    const AtomNumbering& numbering = numbering_[atom.predicate.index()];
    std::uint64_t number = numbering.first;
    for (std::size_t i = 0; i < atom.args.size(); ++i) {
        const TermId value = values_[atom.args[i]];
        if (is_tail_slot(atom.args[i])) continue;
        std::uint64_t digit = universe_.rank(value);
        for (std::size_t j = 0; numbering.distinct && j < i; ++j) {
            if (numbering.types[j] == numbering.types[i] &&
                universe_.rank(values_[atom.args[j]]) < universe_.rank(value))
                --digit;
        }
        number += digit * numbering.stride[i];
    }
    return number;
}

bool InstanceFiller::is_tail_slot(Slot slot) const {
    for (std::size_t i = tail_; i < plan_.steps.size(); ++i) {
        if (plan_.steps[i].slot == slot) return true;
    }
    return false;
}

void InstanceFiller::run_tail() {
    if (size_only_) {
        if (outer_ >= tail_ && outer_ < plan_.steps.size()) {
            outer_items_ = static_cast<std::uint32_t>(domain_size(outer_));
        }
        return;
    }
    if (out_ == nullptr) {
        std::uint64_t product = 1;
        for (std::size_t i = tail_; i < plan_.steps.size(); ++i) {
            const std::uint64_t size = i == outer_ ? end_ - begin_ : domain_size(i);
            product = saturating_mul(product, size);
        }
        count_ = saturating_add(count_, product);
        return;
    }
    for (std::size_t a = 0; a < width_; ++a) bases_[a] = static_cast<std::uint32_t>(number_of(*atoms_[a]));
    tail_loop(0);
}

void InstanceFiller::tail_loop(std::size_t depth) {
    const std::size_t at = tail_ + depth;
    const std::uint32_t* base = bases_.data() + depth * width_;
    if (at == plan_.steps.size()) {
        out_ = std::copy_n(base, width_, out_);
        return;
    }
    const std::uint32_t* step = coefficients_.data() + depth * width_;
    const auto size = static_cast<std::uint32_t>(domain_size(at));
    const std::uint32_t begin = at == outer_ ? begin_ : 0;
    const std::uint32_t end = at == outer_ ? end_ : size;
    if (at + 1 == plan_.steps.size()) {
        for (std::uint32_t i = begin; i < end; ++i) {
            for (std::size_t a = 0; a < width_; ++a) *out_++ = base[a] + step[a] * i;
        }
        return;
    }
    std::uint32_t* next = bases_.data() + (depth + 1) * width_;
    for (std::uint32_t i = begin; i < end; ++i) {
        for (std::size_t a = 0; a < width_; ++a) next[a] = base[a] + step[a] * i;
        tail_loop(depth + 1);
    }
}

}  // namespace neumann
