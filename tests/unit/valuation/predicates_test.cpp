#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "perceive/perceiver.h"
#include "unit/temporary_folder.h"
#include "valuation/predicates.h"

namespace neumann {
namespace {

std::string refusal(const std::filesystem::path& path) {
    try {
        PredicateWeights::read(TensorFile::read(path));
    } catch (const PerceptionError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Predicates, BeginAsPublished) {
    const PredicateWeights weights;
    const LogisticFunction* close = weights.find(flat_layout(), "closeby");
    ASSERT_NE(close, nullptr);
    EXPECT_NEAR(close->threshold(), 0.224, 1e-12);
    EXPECT_NEAR(close->weight, -44.1, 1e-12);
    EXPECT_NEAR(close->bias, 9.87, 0.01);
    EXPECT_NEAR((*close)(0.224), 0.5, 1e-12);
    EXPECT_GT((*close)(0.1), 0.99);
    EXPECT_NEAR(weights.find(flat_layout(), "online")->bias, 2.87, 0.01);
    EXPECT_EQ(weights.find(solid_layout(), "closeby"), nullptr);
    EXPECT_EQ(weights.find(flat_layout(), "color"), nullptr);
    EXPECT_NE(weights.find(solid_layout(), "left_of"), nullptr);
}

TEST(Predicates, ComeBackFromAFile) {
    const TemporaryFolder folder;
    PredicateWeights weights;
    weights.set(solid_layout(), "front", {123.5, -0.25});
    EXPECT_THROW(weights.set(solid_layout(), "online", {1, 1}), std::invalid_argument);
    weights.write(folder.path() / "predicates.safetensors");
    const TensorFile file = TensorFile::read(folder.path() / "predicates.safetensors");
    EXPECT_EQ(file.metadata("kind"), "predicates");
    EXPECT_EQ(file.tensors().size(), layout_relations().size());
    ASSERT_NE(file.find("flat.closeby"), nullptr);
    EXPECT_EQ(file.find("flat.closeby")->shape, (std::vector<std::int64_t>{2}));
    const PredicateWeights read = PredicateWeights::read(file);
    EXPECT_EQ(read.find(solid_layout(), "front")->weight, 123.5);
    EXPECT_EQ(read.find(solid_layout(), "front")->bias, -0.25);
    EXPECT_EQ(read.find(flat_layout(), "front")->weight, static_cast<double>(37.7F));
}

TEST(Predicates, FilesOfOtherThingsAreRefused) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "w.safetensors";
    const auto written = [&](const std::vector<StoredTensor>& tensors, const std::string& kind) {
        write_tensor_file(path, tensors, {{"kind", kind}});
        return refusal(path);
    };
    EXPECT_NE(written({}, "slots").find("holds weights of kind 'slots', not 'predicates'"), std::string::npos);
    EXPECT_NE(written({{"flat.nearby", {2}, {1, 1}}}, "predicates").find("'flat.nearby' is no relation"),
              std::string::npos);
    const std::string shape = "'flat.closeby' is not a weight other than 0 and a bias";
    EXPECT_NE(written({{"flat.closeby", {1}, {1}}}, "predicates").find(shape), std::string::npos);
    EXPECT_NE(written({{"flat.closeby", {2}, {0, 1}}}, "predicates").find(shape), std::string::npos);
    EXPECT_EQ(written({{"flat.closeby", {2}, {-300, 67}}}, "predicates"), "accepted");
}

}  // namespace
}  // namespace neumann
