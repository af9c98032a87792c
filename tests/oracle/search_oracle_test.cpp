// The search for programs against brute force: where it says that no shorter program is right there is none, a right
// program that exists is found, and what it says of its program is true.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/search/positives_only.h"
#include "oracle/random_task.h"
#include "oracle/seeds.h"
#include "oracle/shortest_program.h"

namespace neumann::search_oracle {
namespace {

using search::SearchResult;

struct Tally {
    std::size_t tasks = 0;
    std::size_t solvable = 0;   // by programs that brute force has tried
    std::size_t undecided = 0;  // too much to try by brute force
    std::size_t right = 0;
    std::size_t proven = 0;  // by the search
    std::size_t longer = 0;  // right, but longer than the shortest
    std::size_t stopped = 0;
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
    return out << fmt::format("{} tasks: {} solvable, {} undecided; {} right programs, {} of them proven to be "
                              "shortest, {} longer than that; {} searches stopped",
                              tally.tasks, tally.solvable, tally.undecided, tally.right, tally.proven, tally.longer,
                              tally.stopped);
}

struct Outcome {
    SmallTask task;  // with what was assumed
    SearchResult result;
    SmallProgram program;  // as it is printed
};

// Some searches go on when a program is right: `stop` ends them. Others find nothing for a long time.
search::Limits limits_for(const SmallTask& task, const std::atomic<bool>& stop) {
    const bool invents = task.invention || !task.as_declared;
    search::Limits limits = search::Limits().part((invents ? 1 : 20) * search::work_of_second);
    if (invents || (task.recursion && task.has_inputs())) limits.stop = &stop;
    return limits;
}

Outcome learn(const SmallTask& task) {
    search::Task made = search_task(task);
    std::atomic<bool> stop = false;
    std::string assumed;
    Outcome outcome{task, {}, {}};
    outcome.result = search_labels(
        made, limits_for(task, stop), [&](const SearchResult& best) { stop = best.is_right(); }, assumed);
    std::vector<std::string> clauses;
    for (const search::Clause& clause : outcome.result.program) clauses.push_back(print(clause, made.bias));
    outcome.program = parse_program(task, clauses);
    for (const auto& tuple : made.negatives) outcome.task.negatives.insert(Tuple(tuple.begin(), tuple.end()));
    outcome.task.linked = made.bias.linked;
    return outcome;
}

bool gave_up(const SearchResult& result) {
    return result.ended == search::Ended::WorkLimit || result.ended == search::Ended::Stopped;
}

std::string wrong_clause(const SmallTask& task, const SmallRule& rule) {
    if (!task.invention && task.as_declared) return outside_bias(task, rule);
    if (rule.body.size() > task.most_body) return "the length of its body";
    return rule.head_arity > 3 ? "the number of its arguments" : "";
}

bool uses_undeclared(const Outcome& outcome) {
    for (const SmallRule& rule : outcome.program) {
        if (rule.head != own) return true;
        for (const SmallGoal& goal : rule.body)
            if (goal.predicate >= 0 && !outcome.task.body[static_cast<std::size_t>(goal.predicate)].declared)
                return true;
    }
    return false;
}

// What is untrue of what the search says, or of another language than the bias.
std::string wrong_with(const Outcome& outcome) {
    const SmallTask& task = outcome.task;
    const SearchResult& result = outcome.result;
    if (result.size != size_of(outcome.program)) return fmt::format("{} is not its size", result.size);
    const auto clauses = std::ranges::count(outcome.program, own, &SmallRule::head);
    if (task.most_clauses > 0 && static_cast<std::size_t>(clauses) > task.most_clauses) return "too many clauses";
    const std::set<Tuple> atoms = derived(task, outcome.program);
    const auto following = [&](const Tuple& label) { return atoms.contains(label); };
    const auto positives = static_cast<std::size_t>(std::ranges::count_if(task.positives, following));
    const auto negatives = static_cast<std::size_t>(std::ranges::count_if(task.negatives, following));
    if (result.true_positives != positives || result.false_negatives != task.positives.size() - positives ||
        result.false_positives != negatives || result.true_negatives != task.negatives.size() - negatives)
        return fmt::format("of {} positives {} follow, not {}; of {} negatives {}, not {}", task.positives.size(),
                           positives, result.true_positives, task.negatives.size(), negatives, result.false_positives);
    for (const SmallRule& rule : outcome.program) {
        if (const std::string wrong = wrong_clause(task, rule); !wrong.empty()) return "not of the bias: " + wrong;
    }
    return {};
}

enum class Demand { Truth, Right, Shortest };

struct Check {
    std::size_t most_literals = 8;  // of programs that brute force tries
    Demand demand = Demand::Shortest;
};

std::string compare(const Outcome& outcome, const Shortest& shortest, Demand demand, Tally& tally) {
    const SearchResult& result = outcome.result;
    ++tally.tasks;
    tally.right += result.is_right() ? 1 : 0;
    tally.proven += result.is_shortest() ? 1 : 0;
    tally.undecided += shortest.decided ? 0 : 1;
    tally.stopped += gave_up(result) && !result.is_right() ? 1 : 0;
    if (std::string wrong = wrong_with(outcome); !wrong.empty()) return wrong;
    if (result.is_shortest() && uses_undeclared(outcome)) return "nobody knows whether a shorter program is right";
    if (!shortest.program) return {};
    ++tally.solvable;
    const std::size_t least = size_of(*shortest.program);
    const bool plain = !outcome.task.invention && outcome.task.as_declared;
    if (plain && result.is_right() && result.size < least) return "brute force misses a program";
    if (result.is_shortest() && result.size > least) return "a shorter program is right";
    if (!result.is_right()) return demand == Demand::Truth || gave_up(result) ? "" : "no right program";
    tally.longer += result.size > least ? 1 : 0;
    return demand == Demand::Shortest && result.size > least ? "not the shortest" : "";
}

std::string check(const SmallTask& task, const Check& how, Tally& tally) {
    const Outcome outcome = learn(task);
    // Only what is declared counts as shortest; what is not is found all the same.
    Shortest shortest = shortest_program(as_declared(outcome.task), how.most_literals);
    if (!task.as_declared && !shortest.program) shortest = shortest_program(outcome.task, how.most_literals);
    const std::string wrong = compare(outcome, shortest, how.demand, tally);
    if (wrong.empty()) return {};
    std::string text =
        fmt::format("{}\nthe search found, {} literals{}:\n{}", wrong, outcome.result.size,
                    outcome.result.is_shortest() ? " and no shorter program" : "", text_of(task, outcome.program));
    if (shortest.program)
        text +=
            fmt::format("the shortest, {} literals:\n{}", size_of(*shortest.program), text_of(task, *shortest.program));
    return text;
}

Tally check_tasks(std::uint64_t first, std::uint64_t count, const TaskKind& kind, const Check& how,
                  const std::function<void(SmallTask&)>& change = {}) {
    Tally tally;
    oracle::for_each_seed(first, count, [&](std::uint64_t seed) {
        Rng rng(seed);
        SmallTask task = random_small_task(rng, kind);
        if (change) change(task);
        if (check(task, how, tally).empty()) return;
        Tally ignored;
        const auto wrong = [&](const SmallTask& one) { return check(one, how, ignored); };
        const SmallTask smallest = shrunk(task, wrong);
        FAIL() << "seed " << seed << ": " << wrong(smallest) << "\nshrunk task:\n" << popper_text(smallest);
    });
    std::cout << tally << std::endl;
    return tally;
}

TEST(SearchOracle, ShortestPrograms) { check_tasks(1, 300, {}, {}); }

TEST(SearchOracle, ShortestProgramsWithComparisonsAndNegatedGoals) {
    check_tasks(1'000, 150, {.specials = Specials::Declared}, {.most_literals = 7});
}

TEST(SearchOracle, RightProgramsWithRecursion) {
    check_tasks(2'000, 80, {.recursion = true, .most_literals = 6}, {.most_literals = 6, .demand = Demand::Right});
}

TEST(SearchOracle, RightProgramsWithGoalsThatNobodyDeclared) {
    check_tasks(3'000, 40, {.specials = Specials::Undeclared, .most_literals = 6},
                {.most_literals = 6, .demand = Demand::Right});
}

TEST(SearchOracle, TrueResultsWithInventedPredicates) {
    check_tasks(4'000, 20, {.invention = true}, {.most_literals = 6, .demand = Demand::Truth});
}

TEST(SearchOracle, RightProgramsFromPositivesAlone) {
    check_tasks(5'000, 40, {}, {.demand = Demand::Right}, [](SmallTask& task) { task.negatives.clear(); });
}

}  // namespace
}  // namespace neumann::search_oracle
