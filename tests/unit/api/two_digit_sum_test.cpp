// A network that learns digits from their sums alone, through exact probabilities, against the same network told the
// digits.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "base/rng.h"

namespace neumann {
namespace {

constexpr std::size_t width = 8;
constexpr std::size_t height = 9;
constexpr std::size_t pixels = width * height;
constexpr std::size_t hidden = 32;
constexpr std::size_t digits = 10;
constexpr std::size_t pairs = 6000;
constexpr std::size_t tests = 4000;
constexpr std::size_t batch = 20;  // pairs
constexpr int epochs = 15;

constexpr std::array<std::string_view, digits> shapes = {
    ".###.#...##...##...##...##...#.###.", "..#...##....#....#....#....#...###.", ".###.#...#....#...#...#...#...#####",
    ".###.#...#....#..##.....##...#.###.", "...#...##..#.#.#..#.#####...#....#.", "######....####.....#....##...#.###.",
    "..##..#...#....####.#...##...#.###.", "#####....#...#...#...#....#....#...", ".###.#...##...#.###.#...##...#.###.",
    ".###.#...##...#.####....#...#..##..",
};

using Picture = std::array<double, pixels>;
struct Drawn {
    Picture picture;
    std::size_t digit;
};

// Somewhere in the picture, under noise.
Drawn draw(Rng& rng) {
    Drawn drawn{{}, rng.below(digits)};
    const std::size_t left = rng.below(width - 5 + 1);
    const std::size_t top = rng.below(height - 7 + 1);
    for (std::size_t i = 0; i < 35; ++i)
        if (shapes[drawn.digit][i] == '#') drawn.picture[(top + i / 5) * width + left + i % 5] = 1;
    for (double& pixel : drawn.picture)
        pixel += 0.25 * std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(6.283185307179586 * rng.uniform());
    return drawn;
}

// One hidden layer, a softmax, Adam.
class Network {
public:
    explicit Network(Rng rng) : weights_((pixels + 1) * hidden + (hidden + 1) * digits), gradient_(weights_.size()) {
        for (std::size_t i = 0; i < weights_.size(); ++i)
            weights_[i] = (rng.uniform() - 0.5) * (i < second ? 2.0 / std::sqrt(pixels) : 2.0 / std::sqrt(hidden));
        mean_ = square_ = std::vector<double>(weights_.size());
    }

    struct Seen {
        std::array<double, hidden> layer;
        std::array<double, digits> probability;
    };
    Seen see(const Picture& picture) const {
        Seen seen;
        for (std::size_t h = 0; h < hidden; ++h) {
            double sum = weights_[h * (pixels + 1) + pixels];
            for (std::size_t p = 0; p < pixels; ++p) sum += weights_[h * (pixels + 1) + p] * picture[p];
            seen.layer[h] = std::max(sum, 0.0);
        }
        double all = 0;
        for (std::size_t d = 0; d < digits; ++d) {
            double sum = weights_[second + d * (hidden + 1) + hidden];
            for (std::size_t h = 0; h < hidden; ++h) sum += weights_[second + d * (hidden + 1) + h] * seen.layer[h];
            all += seen.probability[d] = std::exp(std::min(sum, 50.0));
        }
        for (double& one : seen.probability) one /= all;
        return seen;
    }

    // Adds the gradient of a loss whose derivatives by the probabilities are given.
    void learn(const Picture& picture, const Seen& seen, std::span<const double> by_probability) {
        double mean = 0;
        for (std::size_t d = 0; d < digits; ++d) mean += seen.probability[d] * by_probability[d];
        std::array<double, hidden> by_layer{};
        for (std::size_t d = 0; d < digits; ++d) {
            const double by_logit = seen.probability[d] * (by_probability[d] - mean);
            const std::size_t row = second + d * (hidden + 1);
            for (std::size_t h = 0; h < hidden; ++h) {
                gradient_[row + h] += by_logit * seen.layer[h];
                by_layer[h] += by_logit * weights_[row + h];
            }
            gradient_[row + hidden] += by_logit;
        }
        for (std::size_t h = 0; h < hidden; ++h) {
            if (seen.layer[h] <= 0) continue;
            for (std::size_t p = 0; p < pixels; ++p) gradient_[h * (pixels + 1) + p] += by_layer[h] * picture[p];
            gradient_[h * (pixels + 1) + pixels] += by_layer[h];
        }
    }

    void step() {
        ++steps_;
        const double rate = 0.003 * std::sqrt(1 - std::pow(0.999, steps_)) / (1 - std::pow(0.9, steps_));
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const double g = gradient_[i] / batch;
            mean_[i] += 0.1 * (g - mean_[i]);
            square_[i] += 0.001 * (g * g - square_[i]);
            weights_[i] -= rate * mean_[i] / (std::sqrt(square_[i]) + 1e-8);
            gradient_[i] = 0;
        }
    }

    double accuracy(const std::vector<Drawn>& of) const {
        const auto right = std::ranges::count_if(of, [&](const Drawn& one) {
            const Seen seen = see(one.picture);
            const auto best = std::ranges::max_element(seen.probability) - seen.probability.begin();
            return static_cast<std::size_t>(best) == one.digit;
        });
        return static_cast<double>(right) / static_cast<double>(of.size());
    }

private:
    static constexpr std::size_t second = (pixels + 1) * hidden;  // where the second layer begins
    std::vector<double> weights_;
    std::vector<double> gradient_;
    std::vector<double> mean_;
    std::vector<double> square_;
    double steps_ = 0;
};

// From a batch of pairs to the derivatives of the loss by the probabilities of all digits.
class Addition {
public:
    Addition()
        : model_(Model::parse(":- type(image, [a, b]).\n:- type(digit, 0..9).\n:- neural(digit(image, digit)).\n"
                              ":- exclusive(digit/2, 2).\n"
                              "sum(S) :- digit(a, X), digit(b, Y), S is X + Y.\n:- query(sum(S)).\n")),
          reasoner_(model_, {.semantics = "exact", .threads = 1}) {
        for (const char* image : {"a", "b"})
            for (std::size_t d = 0; d < digits; ++d)
                inputs_.push_back(model_.find_atom(fmt::format("digit({},{})", image, d)).value());
        for (std::size_t s = 0; s < 2 * digits - 1; ++s)
            sums_.push_back(model_.find_atom(fmt::format("sum({})", s)).value());
    }

    std::vector<float> gradient(std::span<const float> probabilities, std::span<const std::size_t> sums) {
        const std::size_t examples = sums.size();
        std::vector<float> values(examples * sums_.size());
        const Values pass = reasoner_.forward(examples, inputs_, probabilities, sums_, values, Retain::Backward);
        OutputGradients loss(examples);
        for (std::size_t e = 0; e < examples; ++e)
            loss.add(e, sums_[sums[e]], -1 / std::max(static_cast<double>(values[e * sums_.size() + sums[e]]), 1e-6));
        const Gradients gradients = reasoner_.backward(pass, loss);
        std::vector<float> result;
        for (std::size_t e = 0; e < examples; ++e)
            for (const AtomIndex input : inputs_) result.push_back(gradients.input(e, input));
        return result;
    }

private:
    Model model_;
    Reasoner reasoner_;
    std::vector<AtomIndex> inputs_;
    std::vector<AtomIndex> sums_;
};

void train_on_sums(Network& network, const std::vector<Drawn>& drawn) {
    Addition addition;
    for (std::size_t first = 0; first < drawn.size(); first += 2 * batch) {
        std::vector<Network::Seen> seen;
        std::vector<float> probabilities;
        std::vector<std::size_t> sums;
        for (std::size_t i = first; i < first + 2 * batch; ++i) {
            seen.push_back(network.see(drawn[i].picture));
            for (const double one : seen.back().probability) probabilities.push_back(static_cast<float>(one));
            if (i % 2 == 1) sums.push_back(drawn[i - 1].digit + drawn[i].digit);
        }
        const std::vector<float> gradient = addition.gradient(probabilities, sums);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const std::vector<double> own(gradient.begin() + static_cast<std::ptrdiff_t>(i * digits),
                                          gradient.begin() + static_cast<std::ptrdiff_t>((i + 1) * digits));
            network.learn(drawn[first + i].picture, seen[i], own);
        }
        network.step();
    }
}

void train_on_digits(Network& network, const std::vector<Drawn>& drawn) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Network::Seen seen = network.see(drawn[i].picture);
        std::array<double, digits> by_probability{};
        by_probability[drawn[i].digit] = -1 / seen.probability[drawn[i].digit];
        network.learn(drawn[i].picture, seen, by_probability);
        if ((i + 1) % (2 * batch) == 0) network.step();
    }
}

TEST(TwoDigitSum, TeachesDigitsAsWellAsDigitsDo) {
    const std::uint64_t seed = 1;
    Rng rng(seed);
    std::vector<Drawn> train;
    std::vector<Drawn> test;
    for (std::size_t i = 0; i < 2 * pairs; ++i) train.push_back(draw(rng));
    for (std::size_t i = 0; i < tests; ++i) test.push_back(draw(rng));
    Network from_sums{Rng(seed)};
    Network from_digits{Rng(seed)};
    for (int epoch = 0; epoch < epochs; ++epoch) {
        train_on_sums(from_sums, train);
        train_on_digits(from_digits, train);
    }
    const double sums = from_sums.accuracy(test);
    const double told = from_digits.accuracy(test);
    std::cout << fmt::format("seed {}: digits right {:.2f} % from sums, {:.2f} % from digits\n", seed, 100 * sums,
                             100 * told);
    EXPECT_GT(told, 0.9);
    EXPECT_GT(sums, told - 0.01);
}

}  // namespace
}  // namespace neumann
