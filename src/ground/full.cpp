// Full grounding. The typed universe is enumerated first, so an atom's number is arithmetic on the ranks of its arguments:
// no table is looked up and none is stored. A clause is counted before anything is allocated for it, then filled in place.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/thread_pool.h"
#include "ground/bindings.h"
#include "ground/engine.h"
#include "ground/limit.h"
#include "ground/plan.h"
#include "ground/universe.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t chunks_per_rule = 64;  // fixed, so that chunks do not depend on the number of threads

// How the atoms of a predicate are numbered: lexicographically in the ranks of their arguments. With distinct arguments,
// a digit skips the earlier arguments of its type.
struct AtomNumbering {
    std::uint32_t first = 0;
    std::uint64_t count = 0;
    bool distinct = false;
    std::vector<std::uint64_t> stride;
    std::vector<TypeId> types;
};

class FullGrounder {
public:
    FullGrounder(Program& program, const TermBounds& bounds, const GroundOptions& options)
        : program_(program), options_(options), universe_(program, bounds, options.memory_limit) {}

    Instances run(const std::vector<Rule>& rules);

private:
    friend class Filler;
    void number_atoms();
    AtomTable make_atoms() const;
    [[noreturn]] void fail_atoms(PredicateId predicate, std::uint64_t count) const;
    [[noreturn]] void fail_rule(const Rule& rule, std::uint64_t count) const;
    void ground_rule(const Rule& rule, InstanceBlock& block);

    Program& program_;
    const GroundOptions& options_;
    Universe universe_;
    std::vector<AtomNumbering> numbering_;  // per predicate
    std::uint64_t bytes_ = 0;               // forecast of everything so far
};

// Runs the steps of one rule over one chunk of its outermost loop, counting instances or writing them.
class Filler {
public:
    Filler(const FullGrounder& grounder, const Rule& rule, const Plan& plan)
        : grounder_(grounder), universe_(grounder.universe_), terms_(grounder.program_.terms), rule_(rule), plan_(plan),
          values_(rule), width_(rule.body.size() + 1) {
        atoms_.push_back(&rule.head);
        for (const RuleAtom& goal : rule.body) atoms_.push_back(&goal);
        find_tail();
        outer_ = 0;
        while (outer_ < plan.steps.size() && plan.steps[outer_].kind != StepKind::Domain &&
               plan.steps[outer_].kind != StepKind::Apply) {
            ++outer_;
        }
    }

    // Iterations of the outermost loop; 1 if there is none.
    std::uint32_t outer_size() {
        size_only_ = true;
        outer_items_ = 1;
        if (outer_ < plan_.steps.size()) {
            outer_items_ = 0;
            run(0);
        }
        size_only_ = false;
        return outer_items_;
    }

    std::uint64_t count(std::uint32_t begin, std::uint32_t end) {
        begin_ = begin;
        end_ = end;
        out_ = nullptr;
        count_ = 0;
        run(0);
        return count_;
    }
    void fill(std::uint32_t begin, std::uint32_t end, std::uint32_t* out) {
        begin_ = begin;
        end_ = end;
        out_ = out;
        run(0);
    }

private:
    // The tail: the trailing domain loops whose slots enter atom numbers only linearly. There the numbers are advanced by
    // addition, and counting multiplies instead of looping.
    void find_tail() {
        tail_ = plan_.steps.size();
        while (tail_ > 0 && plan_.steps[tail_ - 1].kind == StepKind::Domain) {
            const Slot slot = plan_.steps[tail_ - 1].slot;
            const bool linear = std::ranges::none_of(atoms_, [&](const RuleAtom* atom) {
                return grounder_.numbering_[atom->predicate.index()].distinct &&
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
                const AtomNumbering& numbering = grounder_.numbering_[atoms_[a]->predicate.index()];
                for (std::size_t i = 0; i < atoms_[a]->args.size(); ++i) {
                    if (atoms_[a]->args[i] == slot) coefficients_[d * width_ + a] += static_cast<std::uint32_t>(numbering.stride[i]);
                }
            }
        }
    }

    std::pair<std::uint32_t, std::uint32_t> bounds_of(std::size_t step, std::size_t size) {
        const auto all = static_cast<std::uint32_t>(size);
        if (step != outer_) return {0, all};
        if (size_only_) {
            outer_items_ += all;
            return {0, 0};
        }
        return {begin_, end_};
    }

    void run(std::size_t at) {
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
                const std::span<const TermId> found = universe_.with_args(use.functor, step.known, values_.key_of(use.args, step.known));
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
                const TermId term = terms_.find_compound(use.functor, values_.key_of(use.args));
                if (term.is_none() || !universe_.contains(term)) return;
                values_[use.result] = term;
                run(at + 1);
                return;
            }
            case StepKind::Different: {
                const auto [a, b] = rule_.different[step.subject];
                if (values_[a] != values_[b]) run(at + 1);
                return;
            }
            case StepKind::Scan: assert(false); return;
        }
    }

    std::uint64_t number_of(const RuleAtom& atom) const {
        const AtomNumbering& numbering = grounder_.numbering_[atom.predicate.index()];
        std::uint64_t number = numbering.first;
        for (std::size_t i = 0; i < atom.args.size(); ++i) {
            const TermId value = values_[atom.args[i]];
            if (is_tail_slot(atom.args[i])) continue;
            std::uint64_t digit = universe_.rank(value);
            for (std::size_t j = 0; numbering.distinct && j < i; ++j) {
                if (numbering.types[j] == numbering.types[i] && universe_.rank(values_[atom.args[j]]) < universe_.rank(value)) --digit;
            }
            number += digit * numbering.stride[i];
        }
        return number;
    }
    bool is_tail_slot(Slot slot) const {
        for (std::size_t i = tail_; i < plan_.steps.size(); ++i) {
            if (plan_.steps[i].slot == slot) return true;
        }
        return false;
    }

    void run_tail() {
        if (size_only_) {
            if (outer_ >= tail_ && outer_ < plan_.steps.size()) {
                outer_items_ = static_cast<std::uint32_t>(universe_.terms(rule_.slot_type[plan_.steps[outer_].slot]).size());
            }
            return;
        }
        if (out_ == nullptr) {
            std::uint64_t product = 1;
            for (std::size_t i = tail_; i < plan_.steps.size(); ++i) {
                const std::uint64_t size = i == outer_ ? end_ - begin_ : universe_.terms(rule_.slot_type[plan_.steps[i].slot]).size();
                product = saturating_mul(product, size);
            }
            count_ = saturating_add(count_, product);
            return;
        }
        for (std::size_t a = 0; a < width_; ++a) bases_[a] = static_cast<std::uint32_t>(number_of(*atoms_[a]));
        tail_loop(0);
    }

    void tail_loop(std::size_t depth) {
        const std::size_t at = tail_ + depth;
        const std::uint32_t* base = bases_.data() + depth * width_;
        if (at == plan_.steps.size()) {
            out_ = std::copy_n(base, width_, out_);
            return;
        }
        const std::uint32_t* step = coefficients_.data() + depth * width_;
        const auto size = static_cast<std::uint32_t>(universe_.terms(rule_.slot_type[plan_.steps[at].slot]).size());
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

    const FullGrounder& grounder_;
    const Universe& universe_;
    const TermTable& terms_;
    const Rule& rule_;
    const Plan& plan_;
    Bindings values_;
    std::vector<const RuleAtom*> atoms_;  // head, then body
    std::size_t width_;
    std::size_t tail_ = 0;
    std::size_t outer_ = 0;
    std::vector<std::uint32_t> coefficients_;  // [tail depth][atom]
    std::vector<std::uint32_t> bases_;         // [tail depth][atom]
    bool size_only_ = false;
    std::uint32_t outer_items_ = 0;
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t* out_ = nullptr;
    std::uint64_t count_ = 0;
};

Instances FullGrounder::run(const std::vector<Rule>& rules) {
    universe_.enumerate(std::vector<bool>(program_.signature.types().size(), true));
    number_atoms();
    Instances result;
    for (std::size_t r = 0; r < rules.size(); ++r) {
        if (options_.progress != nullptr) options_.progress->update("grounding", r, rules.size());
        const auto start = std::chrono::steady_clock::now();
        InstanceBlock block;
        ground_rule(rules[r], block);
        result.blocks.push_back(std::move(block));
        result.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    result.atoms = make_atoms();
    result.terms = universe_.size();
    return result;
}

void FullGrounder::number_atoms() {
    std::uint64_t total = 0;
    for (std::size_t p = 0; p < program_.signature.predicates().size(); ++p) {
        const PredicateDecl& predicate = program_.signature.predicates()[p];
        AtomNumbering numbering;
        numbering.types = predicate.args;
        numbering.distinct = predicate.distinct;
        numbering.stride.resize(predicate.args.size());
        numbering.count = 1;
        for (std::size_t i = predicate.args.size(); i-- > 0;) {
            std::uint64_t choices = universe_.terms(predicate.args[i]).size();
            if (predicate.distinct) {
                const auto earlier = static_cast<std::uint64_t>(
                    std::count(predicate.args.begin(), predicate.args.begin() + static_cast<std::ptrdiff_t>(i), predicate.args[i]));
                choices = choices > earlier ? choices - earlier : 0;
            }
            numbering.stride[i] = numbering.count;
            numbering.count = saturating_mul(numbering.count, choices);
        }
        const std::uint64_t bytes = saturating_mul(numbering.count, 16 + 4 * predicate.args.size());
        bytes_ = saturating_add(bytes_, bytes);
        if (bytes_ > options_.memory_limit) fail_atoms(checked_id<PredicateId>(p, "predicates"), numbering.count);
        numbering.first = checked_id<AtomId>(total, "atoms").value();
        total += numbering.count;
        checked_id<AtomId>(total, "atoms");
        numbering_.push_back(std::move(numbering));
    }
}

void FullGrounder::fail_atoms(PredicateId id, std::uint64_t count) const {
    const PredicateDecl& predicate = program_.signature.predicate(id);
    std::vector<std::string> sizes;
    for (TypeId type : predicate.args) {
        sizes.push_back(fmt::format("{} of '{}'", universe_.terms(type).size(), program_.signature.type(type).name));
    }
    throw GroundingLimit(predicate.span,
                         fmt::format("'{}' has {} atoms ({}); with the rest that takes more than the memory limit of {}",
                                     print_indicator(predicate), count == saturated ? "more than 10^19" : fmt::format("{}", count),
                                     fmt::join(sizes, " × "), format_bytes(options_.memory_limit)),
                         "bound its types more tightly, declare it distinct, or use --mode relevant");
}

void FullGrounder::ground_rule(const Rule& rule, InstanceBlock& block) {
    PlanCosts costs;
    costs.domain = [&](TypeId type) { return static_cast<double>(universe_.terms(type).size()); };
    costs.applications = [&](FunctorId f) { return static_cast<double>(universe_.applications(f).size()); };
    const Plan plan = plan_full(rule, costs);
    for (const Step& step : plan.steps) {
        if (step.kind == StepKind::Apply) universe_.index(rule.functors[step.subject].functor, step.known);
    }

    const std::uint32_t items = Filler(*this, rule, plan).outer_size();
    const std::size_t chunks = std::min<std::size_t>(items, chunks_per_rule);
    const auto bound = [&](std::size_t chunk) { return static_cast<std::uint32_t>(std::uint64_t{items} * chunk / chunks); };

    // Count first. Most clauses end in free domains, so counting them is a multiplication.
    const std::uint64_t most = (options_.memory_limit - bytes_) / bytes_per_instance(rule);
    std::vector<std::uint64_t> count(chunks + 1, 0);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        count[chunk + 1] = saturating_add(count[chunk], Filler(*this, rule, plan).count(bound(chunk), bound(chunk + 1)));
        if (count[chunk + 1] > most) fail_rule(rule, count[chunk + 1]);
    }
    bytes_ += count[chunks] * bytes_per_instance(rule);
    checked_id<ConjunctionId>(count[chunks], "ground clauses");

    block.clause = rule.clause;
    block.width = static_cast<std::uint32_t>(rule.body.size());
    block.may_collapse = may_collapse(rule);
    block.ordered = true;
    block.rows.resize_uninitialized(count[chunks] * (block.width + 1));
    parallel_chunks(options_.threads, chunks, [&](std::size_t chunk) {
        Filler(*this, rule, plan).fill(bound(chunk), bound(chunk + 1), block.rows.data() + count[chunk] * (block.width + 1));
    });
}

void FullGrounder::fail_rule(const Rule& rule, std::uint64_t count) const {
    std::vector<Slot> slots;
    std::vector<std::uint64_t> sizes;
    for (Slot s = 0; s < rule.slot_count(); ++s) {
        if (rule.slot_variable[s] == Rule::no_variable) continue;
        slots.push_back(s);
        sizes.push_back(universe_.terms(rule.slot_type[s]).size());
    }
    const std::string number = count == saturated ? "more than 10^19" : fmt::format("at least {}", count);
    throw GroundingLimit(program_.clauses[rule.clause].span,
                         fmt::format("this clause has {} instances ({}), about {} at the peak, beyond the memory limit of {}", number,
                                     describe_domains(program_, rule, slots, sizes),
                                     format_bytes(saturating_add(bytes_, saturating_mul(count, bytes_per_instance(rule)))),
                                     format_bytes(options_.memory_limit)),
                         "bound the types of its largest variables, use --mode relevant, or raise --memory-limit");
}

// The arguments of all atoms, by the same numbering: an odometer over ranks that skips repeated arguments where distinct.
AtomTable FullGrounder::make_atoms() const {
    AtomTable atoms(numbering_.size());
    for (std::size_t p = 0; p < numbering_.size(); ++p) {
        const AtomNumbering& numbering = numbering_[p];
        const std::size_t arity = numbering.types.size();
        PodVector<TermId> rows;
        rows.resize_uninitialized(numbering.count * arity);
        std::vector<std::uint32_t> at(arity, 0);
        TermId* out = rows.data();
        const auto repeats = [&](std::size_t i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (numbering.types[j] == numbering.types[i] && at[j] == at[i]) return true;
            }
            return false;
        };
        const auto settle = [&](std::size_t i) {  // the first allowed rank at or after the current one
            while (numbering.distinct && repeats(i)) ++at[i];
        };
        for (std::size_t i = 0; i < arity; ++i) settle(i);
        for (std::uint64_t n = 0; n < numbering.count; ++n) {
            for (std::size_t i = 0; i < arity; ++i) *out++ = universe_.terms(numbering.types[i])[at[i]];
            std::size_t place = arity;
            while (place > 0) {
                ++at[place - 1];
                settle(place - 1);
                if (at[place - 1] < universe_.terms(numbering.types[place - 1]).size()) break;
                --place;
            }
            for (std::size_t i = place; i < arity; ++i) {
                at[i] = 0;
                settle(i);
            }
        }
        atoms.add(checked_id<PredicateId>(p, "predicates"), numbering.count, SharedArray(std::move(rows)));
    }
    return atoms;
}

}  // namespace

Instances ground_full(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules, const GroundOptions& options) {
    return FullGrounder(program, bounds, options).run(rules);
}

}  // namespace neumann
