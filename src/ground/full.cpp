// Full grounding. The typed universe is enumerated first, so an atom's number is arithmetic on the ranks of its
// arguments: without any table. A clause is counted before its memory is allocated, then
// filled in place.
#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "base/parallel.h"
#include "ground/engine.h"
#include "ground/instance_filler.h"
#include "ground/limit.h"
#include "ground/plan.h"
#include "ground/universe.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t chunks_per_rule = 64;  // fixed, so that chunks do not depend on the number of threads

class FullGrounder {
public:
    FullGrounder(Program& program, const TermBounds& bounds, const GroundOptions& options)
        : program_(program), options_(options), universe_(program, bounds, options.memory_limit),
          numbers_(program, options.most_new_numbers), bytes_(bytes_of(program)) {}

    Instances run(const std::vector<Rule>& rules);

private:
    void close_universe(const std::vector<Rule>& rules);
    void number_atoms();
    Plan plan_rule(const Rule& rule);
    InstanceFiller filler(const Rule& rule, const Plan& plan, NumberTable* growing);
    AtomTable make_atoms() const;
    [[noreturn]] void fail_atoms(PredicateId id, std::uint64_t count) const;
    [[noreturn]] void fail_rule(const Rule& rule, std::uint64_t count) const;
    void ground_rule(const Rule& rule, InstanceBlock& block);

    Program& program_;
    const GroundOptions& options_;
    Universe universe_;
    NumberTable numbers_;
    std::vector<AtomNumbering> numbering_;  // per predicate
    std::uint64_t bytes_;                   // forecast of everything so far
};

Instances FullGrounder::run(const std::vector<Rule>& rules) {
    universe_.enumerate(std::vector<bool>(program_.signature.types().size(), true), true);
    close_universe(rules);
    number_atoms();
    Instances result;
    for (std::size_t r = 0; r < rules.size(); ++r) {
        require_budget("grounding");
        if (options_.progress != nullptr) options_.progress->update("grounding", r, rules.size());
        const auto start = std::chrono::steady_clock::now();
        InstanceBlock block;
        ground_rule(rules[r], block);
        result.blocks.push_back(std::move(block));
        result.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    result.atoms = make_atoms();
    result.initial = initial_values(program_, result.atoms);
    result.terms = universe_.size();
    return result;
}

// Results of arithmetic are terms of open types as well, and lead to further ones: until no rule adds any.
void FullGrounder::close_universe(const std::vector<Rule>& rules) {
    std::vector<const Rule*> computing;
    for (const Rule& rule : rules) {
        if (!rule.arithmetic.empty()) computing.push_back(&rule);
    }
    if (computing.empty()) return;
    numbers_.read_constants();
    numbering_.assign(program_.signature.predicates().size(), {});
    for (std::size_t p = 0; p < numbering_.size(); ++p)
        numbering_[p].stride.resize(program_.signature.predicates()[p].args.size());
    for (std::uint64_t before = saturated; numbers_.added() != before;) {
        before = numbers_.added();
        for (const Rule* rule : computing) {
            const Plan plan = plan_rule(*rule);
            InstanceFiller closing = filler(*rule, plan, &numbers_);
            closing.count(0, closing.outer_size(), saturated);
        }
        if (numbers_.added() == before) break;
        program_.signature.sort_computed_constants();
        universe_.enumerate(std::vector<bool>(program_.signature.types().size(), true), true);
    }
    numbering_.clear();
}

Plan FullGrounder::plan_rule(const Rule& rule) {
    PlanCosts costs;
    costs.domain = [&](TypeId type) { return static_cast<double>(universe_.terms(type).size()); };
    costs.applications = [&](FunctorId f) { return static_cast<double>(universe_.applications(f).size()); };
    Plan plan = plan_full(program_.terms, rule, costs);
    for (const Step& step : plan.steps) {
        if (step.kind == StepKind::Apply) universe_.index(rule.functors[step.subject].functor, step.known);
    }
    return plan;
}

InstanceFiller FullGrounder::filler(const Rule& rule, const Plan& plan, NumberTable* growing) {
    std::optional<Evaluation> evaluation;
    if (!rule.arithmetic.empty()) evaluation.emplace(program_.signature, program_.terms, rule, numbers_, growing);
    return {universe_, program_.terms, numbering_, rule, plan, std::move(evaluation)};
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
            numbering.stride[i] = numbering.count;
            numbering.count = saturating_mul(numbering.count, universe_.choices(predicate, i));
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
    throw GroundingLimit(
        predicate.span,
        fmt::format("'{}' has {} atoms ({}); with the rest that takes more than the memory limit of {}",
                    print_indicator(predicate), count == saturated ? "more than 10^19" : fmt::format("{}", count),
                    fmt::join(sizes, " × "), format_bytes(options_.memory_limit)),
        predicate.distinct ? "bound its types more tightly, or use --mode relevant"
                           : "bound its types more tightly, declare it distinct, or use --mode relevant");
}

void FullGrounder::ground_rule(const Rule& rule, InstanceBlock& block) {
    const Plan plan = plan_rule(rule);
    const std::uint32_t items = filler(rule, plan, nullptr).outer_size();
    const std::size_t chunks = std::min<std::size_t>(items, chunks_per_rule);
    const auto bound = [&](std::size_t chunk) {
        return static_cast<std::uint32_t>(std::uint64_t{items} * chunk / chunks);
    };

    // Count first. Most clauses end in free domains, so counting them is a multiplication.
    const std::uint64_t most = (options_.memory_limit - bytes_) / bytes_per_instance(rule);
    std::vector<std::uint64_t> count(chunks + 1, 0);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        count[chunk + 1] =
            saturating_add(count[chunk], filler(rule, plan, nullptr).count(bound(chunk), bound(chunk + 1), most));
        if (count[chunk + 1] > most) fail_rule(rule, count[chunk + 1]);
    }
    bytes_ += count[chunks] * bytes_per_instance(rule);
    checked_id<ConjunctionId>(count[chunks], "ground clauses");

    block.clause = rule.clause;
    shape_block(rule, block);
    block.ordered = true;
    block.rows.resize_uninitialized(count[chunks] * (block.width + 1));
    const unsigned threads = count[chunks] < options_.parallel_from ? 1 : options_.threads;
    parallel_chunks(threads, chunks, [&](std::size_t chunk) {
        filler(rule, plan, nullptr)
            .fill(bound(chunk), bound(chunk + 1), block.rows.data() + count[chunk] * (block.width + 1));
    });
    if (rule.may_repeat) remove_repeated(block);
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
    throw GroundingLimit(
        program_.clauses[rule.clause].span,
        fmt::format("this clause has {} instances ({}), about {} at the peak, beyond the memory limit of {}", number,
                    describe_domains(program_, rule, slots, sizes),
                    format_bytes(saturating_add(bytes_, saturating_mul(count, bytes_per_instance(rule)))),
                    format_bytes(options_.memory_limit)),
        "bound the types of its largest variables, use --mode relevant, or raise --memory-limit");
}

// The arguments of all atoms, by the same numbering: an odometer over ranks that skips repeated arguments where
// distinct.
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

Instances ground_full(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules,
                      const GroundOptions& options) {
    return FullGrounder(program, bounds, options).run(rules);
}

}  // namespace neumann
