#include "ground/universe.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "base/hash.h"
#include "ground/limit.h"

namespace neumann {
namespace {

constexpr std::uint64_t bytes_per_term = 48;  // in the term table, its hash and the universe's own arrays

}  // namespace

Universe::Universe(Program& program, const TermBounds& bounds, std::uint64_t memory_limit)
    : program_(program), bounds_(bounds), memory_limit_(memory_limit),
      enumerated_(program.signature.types().size(), false), terms_(program.signature.types().size()),
      applications_(program.signature.functors().size()) {}

std::uint64_t Universe::size() const {
    std::uint64_t total = 0;
    for (const auto& terms : terms_) total += terms.size();
    return total;
}

std::uint64_t Universe::choices(const PredicateDecl& predicate, std::size_t argument) const {
    const std::uint64_t all = terms(predicate.args[argument]).size();
    if (!predicate.distinct) return all;
    const auto earlier = static_cast<std::uint64_t>(
        std::count(predicate.args.begin(), predicate.args.begin() + static_cast<std::ptrdiff_t>(argument),
                   predicate.args[argument]));
    return all > earlier ? all - earlier : 0;
}

std::uint64_t Universe::count_atoms(const PredicateDecl& predicate) const {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < predicate.args.size(); ++i) count = saturating_mul(count, choices(predicate, i));
    return count;
}

void Universe::add(TermId term, TypeId type) {
    PodVector<TermId>& terms = terms_[type.index()];
    if (ranks_.size() <= term.index()) ranks_.resize(std::max(term.index() + 1, ranks_.size() * 2), no_rank);
    ranks_[term.index()] = static_cast<std::uint32_t>(terms.size());
    terms.push_back(term);
}

// `more`: terms of the type that are made but not added yet.
void Universe::check_memory(TypeId type, std::size_t more) const {
    const std::size_t count = terms_[type.index()].size() + more;
    if ((count & 0xFFFU) == 0) require_budget("making the terms of a type");
    if ((count & 0xFFFU) == 0 && (size() + more) * bytes_per_term > memory_limit_) {
        const TypeDecl& decl = program_.signature.type(type);
        throw GroundingLimit(
            decl.span,
            fmt::format("type '{}' has more than {} terms, too many for the memory limit of {}", decl.name, count,
                        format_bytes(memory_limit_)),
            "lower its bounds (max_depth, max_length, no_repeats, --term-depth), or raise --memory-limit");
    }
}

// A type that is wanted is needed in full; an argument of a term of depth d only up to depth d-1. So a type bounded in
// depth may be built from an unbounded one.
void Universe::find_depths(const std::vector<bool>& wanted) {
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    const Signature& signature = program_.signature;
    const auto limited = [&](std::size_t t, std::int64_t depth) {
        const std::optional<std::uint32_t> bound = bounds_.depth_limit(checked_id<TypeId>(t, "types"));
        return bound ? std::min<std::int64_t>(depth, *bound) : depth;
    };
    depth_.assign(wanted.size(), -1);
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        if (wanted[t]) depth_[t] = limited(t, any);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const FunctorDecl& functor : signature.functors()) {
            const std::int64_t depth = depth_[functor.result.index()];
            if (functor.operation || depth < 1 ||
                !std::ranges::all_of(functor.args, [&](TypeId arg) { return bounds_.is_inhabited(arg); }))
                continue;
            for (TypeId arg : functor.args) {
                const std::int64_t needed = limited(arg.index(), depth == any ? any : depth - 1);
                if (needed <= depth_[arg.index()]) continue;
                depth_[arg.index()] = needed;
                changed = true;
            }
        }
    }
}

// In rounds: round d makes exactly the terms of depth d, from arguments of which at least one has depth d-1.
void Universe::enumerate(const std::vector<bool>& wanted, bool with_computed) {
    const Signature& signature = program_.signature;
    const std::size_t types = wanted.size();
    enumerated_ = wanted;
    terms_.assign(types, {});
    applications_.assign(signature.functors().size(), {});
    ranks_.clear();
    indexes_.clear();
    find_depths(wanted);
    for (std::size_t t = 0; t < types; ++t) {
        if (depth_[t] < 0 || signature.is_expression(checked_id<TypeId>(t, "types"))) continue;
        for (ConstantId c : signature.types()[t].constants)
            if (with_computed || !signature.constant(c).computed)
                add(program_.terms.constant(c), checked_id<TypeId>(t, "types"));
    }
    Sizes old(types, 0);
    for (std::int64_t depth = 1;; ++depth) {
        Sizes all(types);
        for (std::size_t t = 0; t < types; ++t) all[t] = static_cast<std::uint32_t>(terms_[t].size());
        if (all == old) return;
        for (std::size_t f = 0; f < signature.functors().size(); ++f) {
            const FunctorDecl& functor = signature.functors()[f];
            if (!functor.operation && depth <= depth_[functor.result.index()])
                apply_functor(checked_id<FunctorId>(f, "functors"), old, all);
        }
        old = std::move(all);
    }
}

// All applications of the functor to known terms with at least one argument from the newest round: for each place, that
// place new, those before it old, those after it any. Every combination comes up once.
void Universe::apply_functor(FunctorId functor, const Sizes& old, const Sizes& all) {
    const FunctorDecl decl = program_.signature.functor(functor);
    const std::size_t arity = decl.args.size();
    PodVector<TermId>& applications = applications_[functor.index()];
    const std::size_t first_new = applications.size();
    std::vector<TermId> args(arity);
    const auto range = [&](std::size_t place, std::size_t fresh) {
        const std::size_t type = decl.args[place].index();
        return std::pair(place == fresh ? old[type] : 0, place < fresh ? old[type] : all[type]);
    };
    for (std::size_t fresh = 0; fresh < arity; ++fresh) {
        std::vector<std::uint32_t> at(arity);
        bool empty = false;
        for (std::size_t i = 0; i < arity; ++i) {
            at[i] = range(i, fresh).first;
            empty = empty || at[i] == range(i, fresh).second;
        }
        while (!empty) {
            for (std::size_t i = 0; i < arity; ++i) args[i] = terms_[decl.args[i].index()][at[i]];
            if (bounds_.admits(program_.terms, functor, args)) {
                applications.push_back(program_.terms.compound(functor, args));
                check_memory(decl.result, applications.size() - first_new);
            }
            std::size_t place = arity;
            while (place > 0 && ++at[place - 1] == range(place - 1, fresh).second) {
                --place;
                at[place] = range(place, fresh).first;
            }
            empty = place == 0;
        }
    }
    // In the order of their arguments, whichever of them was new.
    const auto before = [&](TermId a, TermId b) {
        return std::ranges::lexicographical_compare(
            program_.terms.args(a), program_.terms.args(b), {}, [&](TermId t) { return rank(t); },
            [&](TermId t) { return rank(t); });
    };
    TermId* const begin = applications.begin() + first_new;
    if (!std::is_sorted(begin, applications.end(), before)) std::sort(begin, applications.end(), before);
    for (std::size_t i = first_new; i < applications.size(); ++i) add(applications[i], decl.result);
}

void Universe::index(FunctorId functor, std::uint32_t mask) {
    auto [it, is_new] = indexes_.try_emplace({functor, mask});
    if (!is_new || mask == 0) return;
    PatternIndex& pattern = it->second;
    const TermTable& terms = program_.terms;
    const std::span<const TermId> applications = this->applications(functor);
    PodVector<std::uint32_t> group_of;
    std::size_t groups = 0;
    if (is_single(mask)) {
        const auto place = static_cast<std::size_t>(std::countr_zero(mask));
        for (TermId term : applications) group_of.push_back(rank(terms.args(term)[place]));
        groups = this->terms(program_.signature.functor(functor).args[place]).size();
    } else {
        PodVector<TermId> example;  // a member of each group
        for (TermId term : applications) {
            const std::span<const TermId> args = terms.args(term);
            WordHash hash(mask);
            for (std::size_t i = 0; i < args.size(); ++i) {
                if ((mask >> i) & 1U) hash.add(args[i].value());
            }
            std::uint32_t group = pattern.groups.find(hash.finish(), [&](std::uint32_t g) {
                for (std::size_t i = 0; i < args.size(); ++i) {
                    if (((mask >> i) & 1U) && terms.args(example[g])[i] != args[i]) return false;
                }
                return true;
            });
            if (group == SlotTable::absent) {
                group = static_cast<std::uint32_t>(example.size());
                example.push_back(term);
                pattern.groups.insert(hash.finish(), group);
            }
            group_of.push_back(group);
        }
        groups = example.size();
    }
    pattern.begin = PodVector<std::uint32_t>(groups + 1, 0);
    for (std::uint32_t group : group_of) ++pattern.begin[group + 1];
    for (std::size_t g = 0; g < groups; ++g) pattern.begin[g + 1] += pattern.begin[g];
    pattern.terms.resize(applications.size());
    PodVector<std::uint32_t> cursor = pattern.begin;
    for (std::size_t i = 0; i < applications.size(); ++i) pattern.terms[cursor[group_of[i]]++] = applications[i];
}

std::span<const TermId> Universe::with_args(FunctorId functor, std::uint32_t mask, std::span<const TermId> key) const {
    if (mask == 0) return applications(functor);
    const PatternIndex& pattern = indexes_.at({functor, mask});
    const auto members = [&](std::size_t group) {
        return pattern.terms.span().subspan(pattern.begin[group], pattern.begin[group + 1] - pattern.begin[group]);
    };
    if (is_single(mask)) return contains(key[0]) ? members(rank(key[0])) : std::span<const TermId>();
    const std::uint32_t hash = hash_ids(mask, key);
    const std::uint32_t group = pattern.groups.find(hash, [&](std::uint32_t g) {
        const std::span<const TermId> args = program_.terms.args(pattern.terms[pattern.begin[g]]);
        std::size_t next = 0;
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (((mask >> i) & 1U) && args[i] != key[next++]) return false;
        }
        return true;
    });
    return group == SlotTable::absent ? std::span<const TermId>() : members(group);
}

}  // namespace neumann
