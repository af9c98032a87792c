#include "learn/task/lessons.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "learn/task/learn_error.h"
#include "logic/dependencies.h"
#include "logic/print.h"

namespace neumann {
namespace {

std::vector<bool> are_labelled(const Program& program, const AtomPool& pool, std::span<const ExampleSet* const> sets) {
    std::vector<bool> labelled(program.signature.predicates().size(), false);
    for (const ExampleSet* set : sets) {
        for (const PredicateId predicate : labelled_predicates(pool, *set)) labelled[predicate.index()] = true;
    }
    return labelled;
}

}  // namespace

std::vector<Lesson> plan_lessons(const Program& program, const AtomPool& pool,
                                 std::span<const ExampleSet* const> sets) {
    const std::vector<bool> labelled = are_labelled(program, pool, sets);
    const DependencyGraph dependencies = dependencies_of(program);
    std::vector<std::vector<bool>> reached(labelled.size());
    for (std::uint32_t p = 0; p < labelled.size(); ++p) {
        if (labelled[p]) reached[p] = dependencies.needed_for(std::array{PredicateId(p)});
    }
    std::vector<Lesson> lessons;
    Lesson lesson;
    for (std::size_t i = 0; i < program.learn.size(); ++i) {
        lesson.targets.push_back(program.learn[i]);
        const auto depends_on = [&](std::uint32_t p, std::span<const LearnTarget> targets) {
            return std::ranges::any_of(targets, [&](const LearnTarget& t) { return reached[p][t.predicate.index()]; });
        };
        lesson.teaches.assign(labelled.size(), false);
        bool any = false;
        for (std::uint32_t p = 0; p < labelled.size(); ++p) {
            if (!labelled[p] || !depends_on(p, lesson.targets) ||
                depends_on(p, std::span(program.learn).subspan(i + 1)))
                continue;
            lesson.teaches[p] = any = true;
        }
        if (any) lessons.push_back(std::exchange(lesson, {}));
    }
    if (!lesson.targets.empty()) {
        const PredicateDecl& predicate = program.signature.predicate(lesson.targets.front().predicate);
        throw LearnError(fmt::format("no label in the training examples depends on '{0}'; label atoms of '{0}', or of "
                                     "a predicate whose clauses use it",
                                     print_indicator(predicate)));
    }
    return lessons;
}

}  // namespace neumann
