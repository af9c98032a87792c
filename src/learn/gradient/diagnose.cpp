#include "learn/gradient/diagnose.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ground/limit.h"
#include "learn/gradient/search.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr const char* by_chance = "chance";
constexpr std::size_t most_checked = 5;  // of the clauses of a round: by themselves, and added to the program

struct Relaxation {
    SearchLanguage language;
    Limitation limitation;
    std::optional<std::size_t> full_target = {};  // may have one clause more than its slots
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
std::vector<Relaxation> relax(const Program& program, const SearchLanguage& language,
                              const std::vector<std::uint32_t>& slots) {
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
    add(by_chance, {}, "another --seed, or more --samples").bounds = language.bounds;
    for (std::size_t t = 0; t < program.learn.size(); ++t) {
        const std::string name = print_indicator(program.signature.predicate(program.learn[t].predicate));
        add(fmt::format("the number of clauses of {}", name), program.learn[t].span,
            fmt::format("raise it to {0}: ':- learn({1}, {0}).', or --program-size {0}", slots[t] + 1, name))
            .bounds = language.bounds;
        result.back().full_target = t;
    }
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

// Whether a predicate has as many clauses as it may.
bool is_full(const FailedSearch& failed, std::size_t target) {
    const auto mine = [&](std::uint32_t k) { return failed.problem.candidate(k).target == target; };
    return std::ranges::count_if(failed.program, mine) >= static_cast<std::ptrdiff_t>(failed.slots[target]);
}

// The programs that a clause makes: itself, and the rest with it if there is room; or only the latter, where more room
// is the question.
std::vector<std::vector<std::uint32_t>> programs_with(const FailedSearch& failed, std::uint32_t k,
                                                      const std::optional<std::size_t>& full_target) {
    const std::uint32_t target = failed.problem.candidate(k).target;
    std::vector<std::uint32_t> added = failed.program;
    added.push_back(k);
    if (full_target) {
        if (*full_target != target || !is_full(failed, target)) return {};
        return {added};
    }
    if (is_full(failed, target)) return {{k}};
    return {{k}, added};
}

// The clause that makes the fewest errors, alone or with the rest of the program, and their number.
std::pair<std::uint64_t, std::uint32_t> best_within(const FailedSearch& failed, const Relaxation& relaxation,
                                                    const std::atomic<bool>* stop) {
    const SearchLanguage& language = relaxation.language;
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
            for (const std::vector<std::uint32_t>& program : programs_with(failed, k, relaxation.full_target)) {
                const std::uint64_t errors = failed.judge(program).errors;
                // The clause alone is as good: it is not the room that is missing.
                if (relaxation.full_target && failed.judge({k}).errors <= errors) continue;
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
    const Refiner allowed(failed.problem.program(), failed.language);
    for (const Relaxation& relaxation : relax(failed.problem.program(), failed.language, failed.slots)) {
        try {
            const auto [errors, k] = best_within(failed, relaxation, stop);
            if (k == LearningProblem::no_candidate) continue;
            // Clauses that the declarations allow are no limitation: another search has found them, or has not.
            const bool is_chance = relaxation.limitation.what == by_chance;
            if (!is_chance && !relaxation.full_target && allowed.admits(failed.problem.candidate(k).clause)) continue;
            Refiner refiner(failed.problem.program(), relaxation.language);
            Limitation& limitation = found.emplace_back(relaxation.limitation);
            limitation.clause =
                print_clause(failed.problem.program(), refiner.readable(failed.problem.candidate(k).clause));
            limitation.accuracy =
                1 - static_cast<double>(errors) / static_cast<double>(std::max<std::size_t>(1, failed.labels));
        } catch (const LearningInterrupted&) {
            break;
        } catch (const GroundingLimit&) {
            break;
        }
    }
    std::ranges::stable_sort(found, std::greater(), &Limitation::accuracy);
    return found;
}

}  // namespace neumann
