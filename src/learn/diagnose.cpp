#include "learn/diagnose.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_tried = 60;  // refinements of a clause under one language

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
    ++add("the number of goals in a body", {}, fmt::format("--max-body {}", language.bounds.max_body + 1))
          .bounds.max_body;
    ++add("the number of variables", {}, fmt::format("--max-vars {}", language.bounds.max_variables + 1))
          .bounds.max_variables;
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p) {
        const PredicateId predicate(p);
        const bool known = std::ranges::find(language.modes, predicate, &Mode::predicate) != language.modes.end();
        const bool learned = std::ranges::find(program.learn, predicate, &LearnTarget::predicate) != program.learn.end();
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

class LimitationFinder {
public:
    LimitationFinder(LearningProblem& problem, Judge& judge, const std::vector<std::uint32_t>& program,
                     const std::atomic<bool>* stop)
        : problem_(problem), judge_(judge), program_(program), stop_(stop) {}

    // The fewest errors of the program with one clause refined once in this language, and that clause.
    std::pair<std::uint64_t, std::uint32_t> best_within(const SearchLanguage& language) {
        Refiner refiner(problem_.program(), language);
        std::pair<std::uint64_t, std::uint32_t> best = {judge_(program_).errors, LearningProblem::no_candidate};
        for (std::size_t i = 0; i < program_.size(); ++i) {
            const SearchClause clause = problem_.candidate(program_[i]).clause;
            std::size_t tried = 0;
            for (const SearchClause& refined : refiner.refine(clause)) {
                if (tried == most_tried || (stop_ != nullptr && stop_->load())) break;
                const std::uint32_t k = problem_.add(refined);
                if (k == LearningProblem::no_candidate) continue;
                ++tried;
                std::vector<std::uint32_t> other = program_;
                other[i] = k;
                if (judge_(other).errors < best.first) best = {judge_(other).errors, k};
            }
        }
        return best;
    }

private:
    LearningProblem& problem_;
    Judge& judge_;
    const std::vector<std::uint32_t>& program_;
    const std::atomic<bool>* stop_;
};

}  // namespace

std::vector<Limitation> find_limitations(LearningProblem& problem, Refiner& refiner, Judge& judge,
                                         const std::vector<std::uint32_t>& program, std::size_t labels,
                                         const std::atomic<bool>* stop) {
    std::vector<Limitation> found;
    LimitationFinder finder(problem, judge, program, stop);
    const auto accuracy = [&](std::uint64_t errors) {
        return 1 - static_cast<double>(errors) / static_cast<double>(std::max<std::size_t>(1, labels));
    };
    const auto text = [&](std::uint32_t k) {
        return print_clause(problem.program(), refiner.readable(problem.candidate(k).clause));
    };
    const auto [within, next] = finder.best_within(refiner.language());
    if (next != LearningProblem::no_candidate) {
        found.push_back({"the number of rounds", {}, "raise --trials or --samples", text(next), accuracy(within)});
    }
    for (const Relaxation& relaxation : relax(problem.program(), refiner.language())) {
        if (stop != nullptr && stop->load()) break;
        const auto [errors, k] = finder.best_within(relaxation.language);
        if (k == LearningProblem::no_candidate || errors >= within) continue;
        found.push_back(relaxation.limitation);
        found.back().clause = text(k);
        found.back().accuracy = accuracy(errors);
    }
    std::ranges::stable_sort(found, std::greater(), &Limitation::accuracy);
    return found;
}

}  // namespace neumann
