// Learning tasks that are solved in a moment, and a progress that counts.
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
#include "logic/print.h"
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

// Counts events, and stops at a given one.
class Stopper : public LearnProgress {
public:
    explicit Stopper(std::size_t at = 0) : at_(at) {}

    void lesson_begins(std::size_t, std::size_t, const std::vector<std::string>&) override { count(); }
    void search_begins(const std::vector<std::string>&) override { count(); }
    void weighing_begins(std::size_t) override { count(); }
    void program_found(std::size_t, std::uint64_t, const std::string&) override { count(); }
    void round_done(const LearnRound& round) override {
        count();
        for (const auto& [clause, score] : round.best) scores.push_back(score);
    }
    void epoch_done(const LearnEpoch& epoch) override {
        count();
        losses.push_back(epoch.train_loss);
        losses.push_back(epoch.validation_loss);
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

// With its clauses and the whole program as text.
struct Learned : LearnedProgram {
    Texts texts;
    std::string text;
};

inline std::optional<Learned> learn_task(LoadedTask& task, const LearnerOptions& options,
                                         const GroundOptions& grounding, Journal& journal, Stopper& watcher,
                                         Diagnostics& diagnostics) {
    RunProgress progress(journal, &watcher);
    ProgramEvaluator evaluator = evaluator_of(task, options, grounding);
    std::optional<LearnedProgram> learned =
        learn_program(task, evaluator, options, grounding, journal, progress, &watcher.stop, diagnostics);
    if (!learned) return std::nullopt;
    Learned result{std::move(*learned), {}, print_program(task.written ? *task.written : task.program)};
    for (Clause clause : result.clauses) {
        clause.weight.reset();
        result.texts.push_back(print_clause(task.program, clause));
    }
    return result;
}

inline Learned learn(const Task& task, Journal& journal, Stopper& watcher) {
    LoadedTask input = learning_input(task.program, task.train, task.validation);
    Diagnostics diagnostics;
    std::optional<Learned> learned = learn_task(input, task.options, {}, journal, watcher, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, *input.program.sources);
    return learned ? std::move(*learned) : Learned{};
}
inline Learned learn(const Task& task) {
    Journal journal;
    Stopper watcher;
    return learn(task, journal, watcher);
}

inline Texts clauses(const Learned& learned) { return learned.texts; }

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
