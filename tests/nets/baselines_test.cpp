// Baselines: they learn for the right reasons where they are told to, and are measured as is said.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "perceive/nets/baseline_measure.h"
#include "perceive/nets/baselines.h"
#include "perceive/nets/losses.h"

namespace neumann {
namespace {

using torch::Tensor;

constexpr std::int64_t pictures = 32;
constexpr std::int64_t rows = 1;
constexpr std::int64_t columns = 4;  // presence, the cause, what goes along with it, nothing

// The class is told by the cause, and just as well by what goes along with it.
Tensor confounded_rows(const Tensor& labels) {
    Tensor inputs = torch::randn({pictures, rows, columns});
    inputs.select(2, 0).fill_(1);
    for (const int column : {1, 2}) inputs.select(1, 0).select(1, column).copy_(labels * 2 - 1);
    return inputs;
}

Tensor about_the_cause() {
    Tensor about = torch::zeros({pictures, rows, columns});
    about.select(1, 0).select(1, 1).fill_(1);
    return about;
}

struct Learned {
    double wrong_reasons;
    double accuracy;
    double without_confounder;
};
Learned learned_with(double weight) {
    torch::set_num_threads(1);
    torch::manual_seed(3);
    const Tensor labels = torch::arange(pictures).remainder(2);
    const Tensor kept = confounded_rows(labels);
    const auto network =
        make_baseline({.model = "set", .size = "small", .objects = rows, .columns = columns, .classes = 2});
    {
        const torch::NoGradGuard no_grad;
        network->standardise(kept);
    }
    torch::optim::Adam optimiser(network->parameters(), 1e-3);
    Learned result{};
    for (int step = 0; step < 60; ++step) {
        const Tensor inputs = network->faded_rows(kept, torch::rand({pictures, rows, columns})).requires_grad_(true);
        const Tensor wrong =
            wrong_reason_loss(network->forward(inputs), labels, inputs, about_the_cause(), network->input_spread());
        result.wrong_reasons = wrong.item<double>();
        optimiser.zero_grad();
        (torch::nn::functional::cross_entropy(network->forward(kept), labels) + weight * wrong).backward();
        optimiser.step();
    }
    const torch::NoGradGuard no_grad;
    result.accuracy = measure_classes(network->forward(kept), labels).accuracy;
    Tensor turned = kept.clone();
    turned.select(1, 0).select(1, 2).neg_();
    result.without_confounder = measure_classes(network->forward(turned), labels).accuracy;
    return result;
}

TEST(Baselines, ExplanationsLowerGradientsOutsideOfThem) {
    const Learned free = learned_with(0);
    const Learned told = learned_with(1);
    EXPECT_EQ(free.accuracy, 1);
    EXPECT_EQ(told.accuracy, 1);
    EXPECT_LT(told.wrong_reasons, free.wrong_reasons / 20);
    EXPECT_LT(free.without_confounder, 1);  // it relies on what goes along
    EXPECT_EQ(told.without_confounder, 1);
}

TEST(Baselines, WrongReasonsAreWhatTheMaskLeavesOut) {
    const Tensor inputs = torch::ones({1, 1, 2}).requires_grad_(true);
    const Tensor first = inputs.select(1, 0).select(1, 0);
    const Tensor second = inputs.select(1, 0).select(1, 1);
    const Tensor logits = torch::stack({3 * first + 5 * second, torch::zeros({1})}, 1);
    const Tensor labels = torch::zeros({1}, torch::kInt64);
    const Tensor spread = torch::tensor({1.0F, 2.0F});
    const auto loss = [&](float about_first, float about_second) {
        const Tensor about = torch::tensor({about_first, about_second}).view({1, 1, 2});
        return wrong_reason_loss(logits, labels, inputs, about, spread).item<double>();
    };
    // The first logit is above the mean of both by half of itself.
    EXPECT_NEAR(loss(1, 1), 0, 1e-6);
    EXPECT_NEAR(loss(0, 1), 1.5 * 1.5, 1e-5);
    EXPECT_NEAR(loss(1, 0), 5.0 * 5.0, 1e-5);
    EXPECT_NEAR(loss(0, 0), 1.5 * 1.5 + 5.0 * 5.0, 1e-5);
}

TEST(Baselines, FadedRowsAreBetweenTheAverageAndThemselves) {
    const auto network = make_baseline({.model = "set", .size = "small", .objects = 1, .columns = 2, .classes = 2});
    const Tensor rows = torch::tensor({1.0F, 2.0F, 1.0F, 6.0F, 0.0F, 0.0F}).view({3, 1, 2});  // the third has no object
    {
        const torch::NoGradGuard no_grad;
        network->standardise(rows);
    }
    const auto faded = [&](float share) { return network->faded_rows(rows, torch::full({3, 1, 1}, share)).flatten(); };
    EXPECT_TRUE(faded(1).allclose(rows.flatten()));
    EXPECT_TRUE(faded(0).allclose(torch::tensor({1.0F, 4.0F, 1.0F, 4.0F, 0.0F, 0.0F})));
    EXPECT_TRUE(faded(0.5).allclose(torch::tensor({1.0F, 3.0F, 1.0F, 5.0F, 0.0F, 0.0F})));
}

TEST(Baselines, TheThresholdIsTheBestOne) {
    const Tensor advantage = torch::tensor({-1.0F, 0.5F, 1.0F, 2.0F, 3.0F});
    const Tensor logits = torch::stack({torch::zeros({5}), advantage}, 1);
    const Tensor labels = torch::tensor({0, 0, 0, 1, 1}, torch::kInt64);
    const double threshold = best_threshold(logits, labels);
    EXPECT_EQ(threshold, 1.0);
    EXPECT_EQ(accuracy_by_threshold(logits, labels, threshold), 1.0);
    EXPECT_NEAR(accuracy_by_threshold(logits, labels, 0), 0.6, 1e-9);
    const Tensor all_second = torch::ones({5}, torch::kInt64);
    EXPECT_EQ(accuracy_by_threshold(logits, all_second, best_threshold(logits, all_second)), 1.0);
    const MeasuredClasses measured = measure_classes(logits, labels);
    EXPECT_NEAR(measured.accuracy, 0.6, 1e-9);
    EXPECT_NEAR(measured.per_class[0], 1.0 / 3, 1e-9);
    EXPECT_EQ(measured.per_class[1], 1.0);
}

}  // namespace
}  // namespace neumann
