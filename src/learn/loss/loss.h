// Loss functions: the distance of a value from labels, and its derivative by the value. Clause scores, weights and
// networks trained through a program share them.
#pragma once

#include <cmath>

namespace neumann {

struct LossTerm {
    double loss = 0;
    double slope = 0;
};

// Of q = ε + (1 − 2ε)·p in the place of the value p: where a program is certain and wrong, the loss stays finite.
struct CrossEntropy {
    double floor = 1e-4;  // ε

    double loss(double p, bool positive) const { return -std::log(positive ? moved(p) : 1 - moved(p)); }
    double slope(double p, bool positive) const {
        const double q = moved(p);
        return scale() * (positive ? -1 / q : 1 / (1 - q));
    }
    // Against labels that are positive and negative so often; they may be probabilities.
    LossTerm of_counts(double p, double positive, double negative) const {
        const double q = moved(p);
        return {-positive * std::log(q) - negative * std::log(1 - q), scale() * (negative / (1 - q) - positive / q)};
    }
    // Of one of several values that exclude each other, the right one `count` times of `all`: −log of the probability
    // of the right one, and the sum of all values beyond one label. That is the cross-entropy if they
    // sum to one, and is least if every value is its share, whether the semantics makes them add up or not.
    LossTerm of_share(double p, double count, double all) const {
        const double q = moved(p);
        return {all * p - count * std::log(q), all - scale() * count / q};
    }

private:
    double scale() const { return 1 - 2 * floor; }
    double moved(double p) const { return floor + scale() * p; }
};

// Σ (p − label)², of `count` labels with this sum and this sum of squares.
inline LossTerm squared_error(double p, double count, double sum, double squares) {
    return {count * p * p - 2 * p * sum + squares, 2 * (count * p - sum)};
}

}  // namespace neumann
