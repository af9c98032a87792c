// What a search comes to depends on its task and on counted work alone.
#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/search/positives_only.h"
#include "learn/search/program_search.h"
#include "unit/learn/random_tasks.h"
#include "unit/random_seed.h"

namespace neumann::search {
namespace {

constexpr std::uint64_t enough = 30'000'000;
constexpr std::uint64_t slack = 100'000;  // what may be done until somebody asks whether to go on

// Random labels, so that nothing is right; with recursion and predicates to be invented.
Task noise(unsigned seed) {
    std::mt19937 random(seed);
    Task task = random_task(random);
    task.bias.recursion = task.bias.invention = seed % 2 == 0;
    return task;
}

struct Step {
    std::uint64_t work;
    std::size_t size;
    std::size_t wrong;

    bool operator==(const Step&) const = default;
};

struct Trial {
    SearchResult found;
    std::vector<Step> steps;
};

Trial run(Task task, std::uint64_t work) {
    task.work = std::make_shared<Work>();
    Limits limits;
    limits.work = work;
    limits.patience = enough / 4;
    Trial trial;
    trial.found = search_programs(task, limits, [&](const SearchResult& best) {
        trial.steps.push_back({best.work, best.size, best.false_positives + best.false_negatives});
    });
    return trial;
}

void expect_same(const Trial& one, const Trial& other) {
    EXPECT_EQ(one.found.program, other.found.program);
    EXPECT_EQ(one.found.candidates, other.found.candidates);
    EXPECT_EQ(one.found.finished_body, other.found.finished_body);
    EXPECT_EQ(one.found.work, other.found.work);
    EXPECT_EQ(one.found.ended, other.found.ended);
    EXPECT_EQ(one.steps, other.steps);
}

TEST(SearchWork, IsTheSameEveryTime) {
    const unsigned first = random_seed(1);
    for (unsigned seed = first; seed < first + 4; ++seed) {
        SCOPED_TRACE(fmt::format("NEUMANN_ORACLE_SEED={}", seed));
        const Task task = noise(seed);
        expect_same(run(task, enough), run(task, enough));
    }
}

TEST(SearchWork, IsTheSameBesideABusyThread) {
    const Task task = noise(2);
    const Trial alone = run(task, enough);
    std::atomic<bool> done = false;
    std::thread busy([&] {
        while (!done) {
        }
    });
    expect_same(alone, run(task, enough));
    done = true;
    busy.join();
}

TEST(SearchWork, EndsAtItsLimit) {
    for (const unsigned seed : {1U, 2U}) {
        SCOPED_TRACE(fmt::format("NEUMANN_ORACLE_SEED={}", seed));
        const Task task = noise(random_seed(seed));
        for (std::uint64_t limit = 1000; limit <= enough; limit *= 10) {
            const Trial stopped = run(task, limit);
            EXPECT_EQ(stopped.found.ended, Ended::WorkLimit);
            EXPECT_GE(stopped.found.work, limit);
            EXPECT_LE(stopped.found.work, limit + slack);
        }
    }
}

// A larger limit goes on where a smaller one ends.
TEST(SearchWork, MoreOfItBeginsWithTheSame) {
    const Task task = noise(random_seed(2));
    std::vector<Step> few = run(task, enough / 10).steps;
    const std::vector<Step> many = run(task, enough).steps;
    while (!few.empty() && few.back().work >= enough / 10) few.pop_back();  // put together at the end
    ASSERT_LE(few.size(), many.size());
    EXPECT_TRUE(std::ranges::equal(few, std::span(many).first(few.size())));
}

TEST(SearchWork, CountsEveryPartOfPositivesAlone) {
    Task task = noise(2);
    task.negatives.clear();
    Limits limits;
    limits.work = enough;
    std::string assumed;
    const SearchResult found = search_labels(task, limits, {}, assumed);
    EXPECT_EQ(found.work, task.work->done());
    EXPECT_LE(found.work, enough + slack);
}

}  // namespace
}  // namespace neumann::search
