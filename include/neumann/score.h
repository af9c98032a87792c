// Scores of conclusions against labels of examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neumann {

// Yes or no, as it is and as it was concluded.
struct BinaryScore {
    std::size_t true_positives = 0;
    std::size_t false_positives = 0;
    std::size_t true_negatives = 0;
    std::size_t false_negatives = 0;

    void count(bool truth, bool concluded) {
        ++(truth ? (concluded ? true_positives : false_negatives) : (concluded ? false_positives : true_negatives));
    }
    std::size_t right() const { return true_positives + true_negatives; }
    std::size_t all() const { return right() + false_positives + false_negatives; }
    // Whether there are both: without positives or without negatives, precision, recall and F1 are undefined.
    bool has_both() const { return true_positives + false_negatives > 0 && true_negatives + false_positives > 0; }

    // All are 0 where there is nothing to count.
    double accuracy() const { return share(right(), all()); }
    double precision() const { return share(true_positives, true_positives + false_positives); }
    double recall() const { return share(true_positives, true_positives + false_negatives); }
    double f1() const { return share(2 * true_positives, 2 * true_positives + false_positives + false_negatives); }

private:
    static double share(std::size_t part, std::size_t all) {
        return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
    }
};

// Answers to questions: each is right or not.
struct AnswerScore {
    std::size_t right = 0;
    std::size_t all = 0;

    double accuracy() const { return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all); }
};

struct ScoreOptions {
    std::optional<std::int64_t> positive = {};  // labels are numbers of classes, and the program is about this one
    double threshold = 0.5;                     // from which on an atom counts as true
};

struct Score {
    BinaryScore labels;
    BinaryScore targets;
    AnswerScore answers;
    bool labels_are_classes = false;  // one was neither 0 nor 1, and no positive class was given
    // Labels that could not be counted: their number, and the errors of the first few, for the user.
    std::size_t not_understood = 0;
    std::vector<std::string> problems;
};

// "accuracy: 97 of 100 labels right (0.9700)" and the like, a line each; empty if nothing is known.
std::string score_text(const Score& score);

}  // namespace neumann
