#include "learn/gradient/clause_levels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace neumann {
namespace {

class Levels {
public:
    Levels(LearningProblem& problem, Refiner& refiner, Judge& judge, const std::vector<std::uint32_t>& known,
           const LevelLimits& limits)
        : problem_(problem), refiner_(refiner), judge_(judge), limits_(limits) {
        if (known.size() == 1) best_ = known.front();
    }

    LevelResult run(const std::vector<SearchClause>& start) {
        std::vector<SearchClause> level;
        for (const SearchClause& clause : start) take(clause, level);
        // A level has the clauses with as many goals. Steps that add none, such as a constant for a variable, stay in
        // it.
        std::vector<SearchClause> longer;
        while (!level.empty() && result_.complete) {
            for (std::size_t i = 0; i < level.size() && result_.complete; ++i) {
                if (!judge(level[i])) continue;
                const std::size_t goals = level[i].clause.body.size();
                for (const SearchClause& refined : refiner_.refine(SearchClause(level[i])))
                    take(refined, refined.clause.body.size() > goals ? longer : level);
            }
            level = std::exchange(longer, {});
        }
        return finish();
    }

private:
    static auto rank(const Verdict& verdict) { return std::pair(verdict.errors, verdict.cost); }
    std::size_t goals(std::uint32_t candidate) const { return problem_.candidate(candidate).clause.clause.body.size(); }

    void take(const SearchClause& clause, std::vector<SearchClause>& level) {
        if (seen_.insert(clause.key).second) level.push_back(clause);
    }

    // Whether a specialisation of the clause may be wanted.
    bool judge(const SearchClause& clause) {
        const std::uint32_t k = problem_.add(clause);
        if (k == LearningProblem::no_candidate) return false;  // nor have its specialisations an instance
        if (result_.judged++ == limits_.most_clauses) {
            result_.complete = false;
            return false;
        }
        const Verdict verdict = judge_({k});
        if (!best_ || rank(verdict) < rank(judge_({*best_}))) best_ = k;
        if (verdict.errors <= limits_.allowed_errors) result_.allowed.push_back(k);
        const std::uint64_t missed = verdict.errors - verdict.false_alarms;
        return missed <= std::max(judge_({*best_}).errors, limits_.allowed_errors);
    }

    LevelResult finish() {
        if (!best_) return std::move(result_);
        result_.best = {*best_};
        std::erase_if(result_.allowed, [&](std::uint32_t k) { return goals(k) != goals(*best_); });
        std::ranges::stable_sort(result_.allowed, {}, [&](std::uint32_t k) { return rank(judge_({k})); });
        return std::move(result_);
    }

    LearningProblem& problem_;
    Refiner& refiner_;
    Judge& judge_;
    const LevelLimits& limits_;
    std::optional<std::uint32_t> best_;
    std::set<std::vector<std::uint32_t>> seen_;
    LevelResult result_;
};

}  // namespace

LevelResult search_levels(LearningProblem& problem, Refiner& refiner, Judge& judge,
                          const std::vector<SearchClause>& start, const std::vector<std::uint32_t>& known,
                          const LevelLimits& limits) {
    return Levels(problem, refiner, judge, known, limits).run(start);
}

}  // namespace neumann
