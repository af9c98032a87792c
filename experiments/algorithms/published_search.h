// Clause generation as publications have it: rounds of scoring, choosing and refining, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algorithms/recipe.h"
#include "algorithms/tape_reasoner.h"
#include "base/rng.h"
#include "learn/published/component.h"

namespace neumann {

// A lesson with the atoms that labels are about and the algorithm's recipe, both borrowed.
struct PublishedLesson : LessonRequest {
    const std::vector<bool>& asked;
    const PublishedRecipe& recipe;

    // The reasoner for candidates that `slots` choose from.
    ReasonerTask task(std::uint32_t slots) const;
};

class PublishedSearch {
public:
    explicit PublishedSearch(const PublishedLesson& lesson);

    std::vector<std::uint32_t> run(const std::vector<SearchClause>& start);  // the candidates to be weighed

    std::uint32_t rounds() const { return round_; }
    std::uint64_t clauses_scored() const { return scored_; }

private:
    void sample_then_refine();
    void refine_then_sample();
    void beam(std::uint32_t start);
    // Scores the candidates and tells of it.
    std::vector<double> score(const std::vector<std::uint32_t>& candidates, const std::vector<std::uint32_t>& sampled);
    RoundRecord computed_scores(const std::vector<std::uint32_t>& candidates, double negative_share);
    RoundRecord score_by_gradient(const std::vector<std::uint32_t>& candidates, const std::vector<bool>& counts);
    RoundRecord score_each(const std::vector<std::uint32_t>& candidates, const std::vector<bool>& counts);
    double score_alone(std::uint32_t candidate, const std::vector<bool>& counts,
                       std::span<const std::uint32_t> examples) const;
    std::vector<bool> labels_that_count(double negative_share) const;
    std::vector<std::uint32_t> refined(const std::vector<std::uint32_t>& clauses);
    std::vector<std::uint32_t> drawn_unlike_before(std::vector<std::uint32_t> clauses, std::vector<double> scores);
    std::vector<std::uint32_t> best_of(const std::vector<std::uint32_t>& clauses, std::span<const double> scores) const;
    bool is_idle(std::uint32_t candidate) const;
    void keep(std::uint32_t candidate);
    const Dataset& scored_data() const;

    const PublishedLesson& lesson_;
    Rng rng_;
    std::vector<std::uint32_t> target_order_;  // in which negatives come into play
    std::vector<std::uint32_t> start_;
    std::vector<std::uint32_t> kept_;  // to be weighed
    std::set<double> scores_drawn_;
    std::uint32_t round_ = 0;
    std::uint32_t rounds_ = 0;
    std::uint64_t scored_ = 0;
    std::chrono::steady_clock::time_point round_begin_ = std::chrono::steady_clock::now();
};

}  // namespace neumann
