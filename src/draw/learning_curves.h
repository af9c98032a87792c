// Learning curves of a program as SVG: search rounds, training epochs and results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "draw/chart.h"

namespace neumann {

// Any part may be empty. Texts are UTF-8.
struct LearningCurves {
    static constexpr std::size_t max_points = chart::max_points;  // of a line
    static constexpr std::size_t max_lines = 60;                  // of the program's text

    struct Round {
        std::string label;  // under the bar: "3", or "lesson 2, 3"
        double seconds = 0;
        std::size_t clauses = 0;  // that were scored
        double best_score = 0;
        double loss = 0;
    };
    struct Epoch {
        unsigned start = 0;  // which of the random starts, from 0; on the axis they follow each other
        unsigned epoch = 0;  // from 1 in each start
        double train_loss = 0;
        double validation_loss = 0;
        double validation_accuracy = 0;
    };

    std::string title;
    std::vector<Round> rounds;
    std::vector<Epoch> epochs;
    std::vector<std::string> program;      // a clause each
    std::optional<double> train_accuracy;  // of the program
    std::optional<double> validation_accuracy;
    std::optional<double> test_accuracy;
};

// The same bytes for the same curves. Numbers that are not finite are left out: lines have gaps there.
std::string draw_learning_curves(const LearningCurves& curves);

struct TimePerRound {
    struct Search {
        std::string name;
        std::vector<double> seconds;  // of its rounds, from the first
    };
    std::string title;
    std::vector<Search> searches;
};

// Compares searches. Throws std::invalid_argument for more than four.
std::string draw_time_per_round(const TimePerRound& times);

// How a network learned.
struct TrainingCurves {
    struct Curve {
        std::string name;
        std::vector<std::pair<double, double>> points;  // step and value, steps rising
    };
    std::string title;
    std::string summary;
    std::vector<Curve> losses;
    std::vector<Curve> accuracies;
};

// Two charts side by side. Throws std::invalid_argument for more than four curves in one.
std::string draw_training_curves(const TrainingCurves& curves);

}  // namespace neumann
