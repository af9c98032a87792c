#include "learn/diagnose.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "learn/learn_error.h"
#include "learn/search.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_checked = 5;  // of the clauses of a round: by themselves, and added to the program

struct Relaxation {
    SearchLanguage language;
    Limitation limitation;
};

std::string print_places(const Signature& signature, const Mode& mode) {
    std::string text;
    for (const ModePlace& place : mode.places) {
        text += text.empty() ? "" : ",";
        text += place.kind == ModePlace::Kind::Input ? "+" : place.kind == ModePlace::Kind::Output ? "-" : "#";
        text += signature.type(place.type).name;
    }
    return fmt::format("{}({})", signature.predicate(mode.predicate).name, text);
}

// The given language with one thing more allowed.
std::vector<Relaxation> relax(const Program& program, const SearchLanguage& language) {
    std::vector<Relaxation> result;
    const auto add = [&](std::string what, Span span, std::string advice) -> SearchLanguage& {
        result.push_back({language, {std::move(what), span, std::move(advice), {}, 0}});
        return result.back().language;
    };
    for (std::size_t m = 0; m < language.modes.size(); ++m) {
        const Mode& mode = language.modes[m];
        if (mode.head || !mode.recall) continue;
        add(fmt::format("the recall of modeb({}, {})", *mode.recall, print_places(program.signature, mode)), mode.span,
            fmt::format("raise it to {}", *mode.recall + 1))
            .modes[m]
            .recall = *mode.recall + 1;
    }
    add("chance", {}, "another --seed, or more --samples").bounds = language.bounds;
    ++add("the number of goals in a body", {}, fmt::format("--max-body {}", language.bounds.max_body + 1))
          .bounds.max_body;
    ++add("the number of variables", {}, fmt::format("--max-vars {}", language.bounds.max_variables + 1))
          .bounds.max_variables;
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p) {
        const PredicateId predicate(p);
        const bool known = std::ranges::find(language.modes, predicate, &Mode::predicate) != language.modes.end();
        const bool learned =
            std::ranges::find(program.learn, predicate, &LearnTarget::predicate) != program.learn.end();
        const std::vector<TypeId>& types = program.signature.predicate(predicate).args;
        if (known || learned || types.empty()) continue;
        Mode mode;
        mode.recall = 1;
        mode.predicate = predicate;
        for (const TypeId type : types) mode.places.push_back({ModePlace::Kind::Output, type});
        add(fmt::format("{} has no modeb", print_indicator(program.signature.predicate(predicate))),
            program.signature.predicate(predicate).span,
            fmt::format("add ':- modeb(1, {}).'", print_places(program.signature, mode)))
            .modes.push_back(mode);
    }
    return result;
}

// The clause that makes the fewest errors, by itself or with the rest of the program, and how many those are.
std::pair<std::uint64_t, std::uint32_t> best_within(const FailedSearch& failed, const SearchLanguage& language,
                                                    const std::atomic<bool>* stop) {
    Refiner refiner(failed.problem.program(), language);
    Journal none;
    ClauseSearch search(failed.problem, refiner, failed.train, failed.asked, failed.options, none, "relaxed", nullptr,
                        stop);
    std::vector<SearchClause> start;
    for (const LearnTarget& target : failed.problem.targets()) {
        for (const SearchClause& clause : refiner.most_general(target.predicate)) start.push_back(clause);
    }
    for (const Clause& clause : failed.problem.program().initial) start.push_back(refiner.canonical(clause));
    search.start(start);
    std::pair<std::uint64_t, std::uint32_t> best = {failed.judge(failed.program).errors, LearningProblem::no_candidate};
    for (std::uint32_t round = 0; round <= failed.options.search.trials && search.next_round(); ++round) {
        for (const std::uint32_t k : search.best_of_last_round(most_checked)) {
            std::vector<std::uint32_t> added = failed.program;
            added.push_back(k);
            for (const std::vector<std::uint32_t>& program : {std::vector{k}, added}) {
                const std::uint64_t errors = failed.judge(program).errors;
                if (errors < best.first) best = {errors, k};
            }
        }
        if (best.first == 0) break;
    }
    return best;
}

}  // namespace

std::vector<Limitation> find_limitations(const FailedSearch& failed, const std::atomic<bool>* stop) {
    std::vector<Limitation> found;
    for (const Relaxation& relaxation : relax(failed.problem.program(), failed.language)) {
        try {
            const auto [errors, k] = best_within(failed, relaxation.language, stop);
            if (k == LearningProblem::no_candidate) continue;
            Refiner refiner(failed.problem.program(), relaxation.language);
            Limitation& limitation = found.emplace_back(relaxation.limitation);
            limitation.clause =
                print_clause(failed.problem.program(), refiner.readable(failed.problem.candidate(k).clause));
            limitation.accuracy =
                1 - static_cast<double>(errors) / static_cast<double>(std::max<std::size_t>(1, failed.labels));
        } catch (const LearningInterrupted&) {
            break;
        }
    }
    std::ranges::stable_sort(found, std::greater(), &Limitation::accuracy);
    return found;
}

}  // namespace neumann
