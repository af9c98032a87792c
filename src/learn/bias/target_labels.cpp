#include "learn/bias/target_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

// The clause without its goal of the target, with that goal's arguments in the head; nothing if a variable is left that
// no other goal binds.
std::optional<Clause> asking(const Program& program, const Clause& clause, std::size_t goal, PredicateId asked) {
    Clause result = clause;
    result.body.erase(result.body.begin() + static_cast<std::ptrdiff_t>(goal));
    result.head.predicate = asked;
    const std::vector<TermId>& args = clause.body[goal].atom.args;
    result.head.args.insert(result.head.args.end(), args.begin(), args.end());
    std::vector<bool> bound(clause.variables.size(), false);
    for (const Literal& literal : result.body) {
        if (literal.negated) continue;
        for (const TermId arg : literal.atom.args)
            for_each_variable(program.terms, arg, [&](std::uint32_t v) { bound[v] = true; });
    }
    bool safe = true;
    for (const TermId arg : result.head.args)
        for_each_variable(program.terms, arg, [&](std::uint32_t v) { safe = safe && bound[v]; });
    return safe ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

TargetLabels::TargetLabels(Program& program, PredicateId target, const AtomPool& pool, const ExampleSet& examples)
    : target_(target), pool_(pool), examples_(examples) {
    const std::set<PredicateId> labelled = labelled_predicates(pool, examples);
    if (labelled.size() != 1) {
        reason_ = "labels are of several predicates";
    } else if (*labelled.begin() != target) {
        declare_asked(program, *labelled.begin());
    }
}

void TargetLabels::declare_asked(Program& program, PredicateId labelled) {
    const PredicateDecl& decl = program.signature.predicate(labelled);
    const auto name = [&](PredicateId predicate) { return print_indicator(program.signature.predicate(predicate)); };
    const std::string several =
        fmt::format("labels of {} depend on {} in more than one way", name(labelled), name(target_));
    std::vector<Clause> clauses;
    std::vector<TypeId> types = decl.args;
    const std::vector<TypeId>& more = program.signature.predicate(target_).args;
    types.insert(types.end(), more.begin(), more.end());
    asked_ = program.signature.add_predicate(fmt::format("{} of {}", name(target_), name(labelled)), types, false, {});
    for (const Clause& clause : program.clauses) {
        const auto uses =
            std::ranges::count_if(clause.body, [&](const Literal& l) { return l.atom.predicate == target_; });
        if (clause.head.predicate != labelled) {
            if (uses > 0) reason_ = several;
            continue;
        }
        const auto goal = std::ranges::find(clause.body, target_, [](const Literal& l) { return l.atom.predicate; });
        std::optional<Clause> one;
        if (uses == 1 && !goal->negated)
            one = asking(program, clause, static_cast<std::size_t>(goal - clause.body.begin()), asked_);
        if (!one) {
            reason_ = several;
            return;
        }
        clauses.push_back(std::move(*one));
    }
    if (clauses.empty()) reason_ = several;
    std::ranges::move(clauses, std::back_inserter(program.clauses));
}

std::vector<TargetLabel> TargetLabels::find(const Worlds& worlds) {
    std::vector<TargetLabel> labels;
    using Row = std::vector<TermId>;
    std::map<std::pair<std::uint32_t, Row>, std::vector<Row>> asked;  // by world and labelled atom
    const std::size_t arity = worlds.signature.predicate(target_).args.size();
    if (!asked_.is_none()) {
        const Extension& extension = worlds.extensions[asked_.index()];
        const std::size_t width = worlds.signature.predicate(asked_).args.size();
        for (std::size_t r = 0; r < extension.worlds.size(); ++r) {
            const TermId* row = extension.own.data() + r * width;
            asked[{extension.worlds[r], Row(row, row + width - arity)}].emplace_back(row + width - arity, row + width);
        }
        if (extension.shared_count > 0) reason_ = "what labels ask for is the same in all worlds";
    }
    for (std::uint32_t w = 0; w < examples_.examples.size(); ++w) {
        for (const Example::Target& label : examples_.examples[w].targets) {
            const Row args(pool_.args(label.atom).begin(), pool_.args(label.atom).end());
            if (asked_.is_none()) {
                labels.push_back({w, args, label.positive});
                continue;
            }
            const auto found = asked.find({w, args});
            if (found == asked.end()) continue;  // false under every candidate program
            if (label.positive && found->second.size() > 1) reason_ = "a label asks for one of several atoms";
            for (const Row& row : found->second) labels.push_back({w, row, label.positive});
        }
    }
    if (!reason_.empty()) labels.clear();
    return labels;
}

}  // namespace neumann
