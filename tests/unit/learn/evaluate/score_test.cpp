#include <cmath>

#include <gtest/gtest.h>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/score.h"

namespace neumann::search {
namespace {

Bias three_goals() {
    Bias bias;
    bias.head = {"f", {0, 0}, 0, {}};
    bias.body = {{"p", {0}, 0, {}}, {"q", {0, 0}, 0, {}}, {"r", {0, 0, 0}, 0, {}}};
    bias.most_variables = 4;
    return bias;
}

TEST(Score, LiteralsAndWrongLabelsCountAlikeByDefault) {
    const Score score(ScoreKind::Literals, three_goals(), 10, 10);
    EXPECT_EQ(score.cost(4, 2, 1), 7);
    EXPECT_TRUE(score.pays(3, 6, 2));
    EXPECT_FALSE(score.pays(3, 5, 2));
    EXPECT_FALSE(score.alone());
}

// 8 positives, 8 negatives; a program of 3 literals covers 7 positives and 1 negative.
TEST(Score, DescriptionLengthIsTheBitsOfExceptions) {
    const Score score(ScoreKind::Mdl, three_goals(), 8, 8);
    const double covered = std::log2(9.0) + std::log2(8.0);  // 1 of 8
    const double others = std::log2(9.0) + std::log2(8.0);   // 1 of 8
    EXPECT_NEAR(score.cost(3, 1, 1), covered + others + 3 * 0.5 * std::log2(16.0), 1e-9);
}

TEST(Score, MessageLengthHasTheBitsOfLiteralsOfTheBias) {
    const Score score(ScoreKind::Mml, three_goals(), 8, 8);
    const double literal = std::log2(4.0) + 8.0 / 4 * std::log2(4.0);  // four predicates of two places on average
    EXPECT_NEAR(score.cost(3, 1, 1), std::log2(17.0) + std::log2(120.0) + 3 * literal, 1e-9);
}

TEST(Score, TrainingAndF1CountLabels) {
    const Score training(ScoreKind::Training, three_goals(), 8, 8);
    EXPECT_LT(training.cost(50, 0, 0), training.cost(2, 1, 0));
    EXPECT_LT(training.cost(2, 1, 0), training.cost(3, 1, 0));
    const Score f1(ScoreKind::F1, three_goals(), 8, 8);
    EXPECT_NEAR(f1.cost(3, 1, 2), 1 - 12.0 / 15, 1e-6);
    EXPECT_GE(f1.cost(0, 0, 8), 1);
}

// Searches bound what is left by it.
TEST(Score, MoreLiteralsOrWrongLabelsNeverCostLess) {
    for (const ScoreKind kind :
         {ScoreKind::Literals, ScoreKind::Training, ScoreKind::Mdl, ScoreKind::Mml, ScoreKind::F1}) {
        const Score score(kind, three_goals(), 9, 30);
        for (std::size_t size = 0; size < 6; ++size) {
            for (std::size_t wrong = 0; wrong < 30; ++wrong) {
                EXPECT_LE(score.cost(size, wrong, 0), score.cost(size + 1, wrong, 0));
                EXPECT_LE(score.cost(size, wrong, 0), score.cost(size, wrong + 1, 0)) << static_cast<int>(kind);
            }
        }
    }
}

// With few labels a literal is dear, with many it is cheap.
TEST(Score, ThePriceOfALiteralDependsOnTheNumberOfLabels) {
    const auto wrong_labels_worth = [](std::size_t labels) {
        const Score score(ScoreKind::Mdl, three_goals(), labels / 2, labels / 2);
        std::size_t wrong = 1;
        while (score.cost(4, 0, 0) > score.cost(0, wrong, 0)) ++wrong;
        return wrong;
    };
    EXPECT_GT(wrong_labels_worth(20), 1U);
    EXPECT_LE(wrong_labels_worth(20'000), wrong_labels_worth(20));
}

}  // namespace
}  // namespace neumann::search
