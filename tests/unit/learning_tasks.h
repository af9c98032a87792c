// Tasks of learning that are solved in a moment, and whoever watches that.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "unit/learning_world.h"

namespace neumann {

using Texts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Task {
    std::string program;
    WrittenExamples train;
    WrittenExamples validation;
    LearnerOptions options;
};

// Tells nobody, counts what it is told, and stops at a given event.
class Stopper : public LessonWatcher {
public:
    explicit Stopper(std::size_t at = 0) : at_(at) {}

    void lesson_begins(std::size_t, std::size_t, LearningProblem&, Refiner&) override { count(); }
    void lesson_ends(LessonLearner&, const LearnOutcome&, const ExampleSet&, const ExampleSet&) override { count(); }
    void stage_begins(const std::vector<SearchClause>&) override { count(); }
    void search_done(std::size_t) override { count(); }
    void program_found(const std::vector<std::uint32_t>&, const Verdict&) override { count(); }
    void round_done(const RoundReport& report) override {
        count();
        scores.insert(scores.end(), report.scores.begin(), report.scores.end());
    }
    void epoch_done(const EpochReport& report) override {
        count();
        losses.push_back(report.train_loss);
        losses.push_back(report.validation_loss);
    }

    std::size_t events = 0;
    std::vector<double> scores;
    std::vector<double> losses;
    std::atomic<bool> stop{false};

private:
    void count() {
        if (++events == at_) stop = true;
    }
    std::size_t at_;
};

inline LearnedProgram learn(const Task& task, Journal& journal, Stopper& watcher) {
    LearningInput input = learning_input(task.program, task.train, task.validation);
    Diagnostics diagnostics;
    std::optional<LearnedProgram> learned =
        learn_program(input, task.options, {}, journal, &watcher, &watcher.stop, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, *input.program.sources);
    return learned ? std::move(*learned) : LearnedProgram{};
}
inline LearnedProgram learn(const Task& task) {
    Journal journal;
    Stopper watcher;
    return learn(task, journal, watcher);
}

inline Texts clauses(const LearnedProgram& learned) {
    Texts texts;
    for (const LearnedClause& clause : learned.clauses) texts.push_back(clause.text);
    return texts;
}

// Every pair of names that a relation of these pairs may hold of, with its truth.
inline WrittenExample closed_world(const std::string& predicate, const Texts& names,
                                   const std::function<bool(const std::string&, const std::string&)>& holds) {
    WrittenExample example;
    for (const std::string& x : names) {
        for (const std::string& y : names)
            example.targets.emplace_back(fmt::format("{}({},{})", predicate, x, y), holds(x, y));
    }
    return example;
}

inline bool has(const Pairs& pairs, const std::string& x, const std::string& y) {
    return std::ranges::find(pairs, std::pair(x, y)) != pairs.end();
}

inline LearnerOptions quick() {
    LearnerOptions options;
    options.weights.epochs = 10;
    options.search.trials = 3;
    return options;
}

inline Task grandparent() {
    const Texts people = {"ada", "ben", "cleo", "dan", "eva", "fred", "gail", "hal"};
    const Pairs parents = {{"ada", "ben"},  {"ada", "cleo"}, {"ben", "dan"}, {"cleo", "eva"},
                           {"dan", "fred"}, {"eva", "gail"}, {"hal", "gail"}};
    Task task;
    task.program = fmt::format(":- type(person, [{}]).\n", fmt::join(people, ", ")) + R"(
:- pred(parent(person, person)).
:- pred(grandparent(person, person)).
:- modeh(1, grandparent(+person, +person)).
:- modeb(2, parent(+person, -person)).
:- learn(grandparent/2, 1).
)";
    for (const auto& [x, y] : parents) task.program += fmt::format("parent({}, {}).\n", x, y);
    task.train = {closed_world("grandparent", people, [&](const std::string& x, const std::string& y) {
        return std::ranges::any_of(people,
                                   [&](const std::string& z) { return has(parents, x, z) && has(parents, z, y); });
    })};
    task.options = quick();
    return task;
}

// Edges come with each example; connected is their transitive closure.
inline WrittenExample connected_world(const Pairs& edges) {
    const Texts nodes = {"a", "b", "c", "d", "e"};
    Pairs closure = edges;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < closure.size(); ++i) {
            for (const auto& [x, y] : edges) {
                if (closure[i].second != x || has(closure, closure[i].first, y)) continue;
                closure.emplace_back(closure[i].first, y);
                more = true;
            }
        }
    }
    WrittenExample example = closed_world(
        "connected", nodes, [&](const std::string& x, const std::string& y) { return has(closure, x, y); });
    for (const auto& [x, y] : edges) example.atoms.emplace_back(fmt::format("edge({},{})", x, y), 1.0F);
    return example;
}

inline Task connected() {
    Task task;
    task.program = R"(
:- type(node, [a, b, c, d, e]).
:- neural(edge(node, node)).
:- pred(connected(node, node)).
:- modeh(1, connected(+node, +node)).
:- modeb(2, edge(+node, -node)).
:- modeb(1, connected(+node, -node)).
:- learn(connected/2, 2).
)";
    task.train = {connected_world({{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "e"}}),
                  connected_world({{"a", "b"}, {"b", "a"}, {"c", "d"}, {"b", "e"}})};
    task.validation = {connected_world({{"e", "a"}, {"a", "c"}, {"d", "d"}})};
    task.options = quick();
    return task;
}

// Two lessons: what is red is good, and what is good and round is fine.
inline Task two_lessons() {
    Task task;
    task.program = R"(
:- type(thing, [it]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(good(thing)).
:- pred(fine(thing)).
:- modeh(1, good(+thing)).
:- modeh(1, fine(+thing)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- modeb(1, good(+thing)).
:- learn(good/1, 1).
:- learn(fine/1, 1).
)";
    for (int i = 0; i < 4; ++i) {
        const bool red = i % 2 == 1;
        const bool round = i / 2 == 1;
        task.train.push_back({{{"red(it)", red ? 0.875F : 0.125F}, {"round(it)", round ? 0.875F : 0.125F}},
                              {{"good(it)", red}, {"fine(it)", red && round}}});
    }
    task.options = quick();
    return task;
}

// Some things are red, some are round; an image is good if a red one touches a round one. One label in ten is wrong,
// and no program gets them all, so everything is tried.
inline Task noisy(std::uint32_t examples, std::size_t things = 6) {
    Task task;
    Texts names;
    for (std::size_t i = 0; i < things; ++i) names.push_back(fmt::format("t{}", i));
    task.program = fmt::format(":- type(thing, [{}]).", fmt::join(names, ", ")) + R"(
:- type(image, [img]).
:- neural(in(thing, image)).
:- neural(red(thing)).
:- neural(round(thing)).
:- neural(touch(thing, thing)).
:- pred(good(image)).
:- modeh(1, good(+image)).
:- modeb(2, in(-thing, +image)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- modeb(1, touch(+thing, +thing)).
:- learn(good/1, 2).
:- initial((good(X) :- in(A, X))).
)";
    Rng rng(77);
    for (std::uint32_t e = 0; e < examples; ++e) {
        WrittenExample example;
        std::vector<bool> red;
        std::vector<bool> round;
        const auto give = [&](const std::string& atom, bool truth) {
            const auto sure = static_cast<float>(0.9 + 0.1 * rng.uniform());
            example.atoms.emplace_back(atom, truth ? sure : 1 - sure);
            return truth;
        };
        for (const std::string& name : names) {
            give(fmt::format("in({},img)", name), true);
            red.push_back(give(fmt::format("red({})", name), rng.chance(0.3)));
            round.push_back(give(fmt::format("round({})", name), rng.chance(0.3)));
        }
        bool good = false;
        for (std::size_t i = 0; i < things; ++i) {
            for (std::size_t j = 0; j < things; ++j) {
                if (i == j || !rng.chance(7.0 / static_cast<double>(things * things))) continue;
                give(fmt::format("touch({},{})", names[i], names[j]), true);
                good = good || (red[i] && round[j]);
            }
        }
        example.targets.emplace_back("good(img)", good != rng.chance(0.1));
        (e % 4 == 0 ? task.validation : task.train).push_back(std::move(example));
    }
    task.options = quick();
    task.options.search.trials = 5;
    return task;
}

}  // namespace neumann
