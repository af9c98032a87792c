// The networks themselves: what is stored is what was trained, what is seen in a picture depends on that picture alone,
// and losses teach what they say.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "datasets/training_scenes.h"
#include "perceive/nets/augment.h"
#include "perceive/nets/decode.h"
#include "perceive/nets/device.h"
#include "perceive/nets/flat_parameters.h"
#include "perceive/nets/losses.h"
#include "perceive/nets/network_perceiver.h"
#include "perceive/nets/networks.h"
#include "perceive/nets/tensors.h"
#include "perceive/nets/train_objects.h"
#include "perceive/picture_pool.h"
#include "perceive/processor_perceiver.h"
#include "perceive/scene_of.h"
#include "perceive/score.h"
#include "perceive/weights_folder.h"
#include "render/draw_figure.h"
#include "render/trace.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("neumann-nets-" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    fs::path operator/(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

class Silent final : public TrainingListener {
public:
    explicit Silent(std::uint64_t stop_after = 0) : stop_after_(stop_after) {}
    void stage(const std::string&) override {}
    void step(std::uint64_t done, std::uint64_t, double loss) override {
        done_ = done;
        losses.push_back(loss);
    }
    void measured(std::uint64_t, const std::vector<std::pair<std::string, double>>&) override {}
    bool stop() override { return stop_after_ != 0 && done_ >= stop_after_; }
    std::vector<double> losses;

private:
    std::uint64_t stop_after_;
    std::uint64_t done_ = 0;
};

// With statistics of the batches that are not those of a fresh network.
ObjectNetwork used_network(const std::string& name) {
    torch::manual_seed(5);
    const NetworkSettings settings = settings_of(name);
    ObjectNetwork network(settings, true, name != "figures", Form::Learning);
    network->train();
    for (int k = 0; k < 3; ++k)
        network->dense(network->trunk->forward(torch::randn({4, 3, settings.height, settings.width})));
    network->eval();
    return network;
}

void store(const ObjectNetwork& network, const fs::path& path) {
    write_tensor_file(path, folded_weights(*network), {{"network", network->settings.name}});
}

Tensor truth_of(const std::vector<SeenObjects>& pictures) {
    const std::int64_t columns = pictures.front().layout->columns;
    Tensor truth = torch::zeros({static_cast<std::int64_t>(pictures.size()), most_objects, columns});
    for (std::size_t k = 0; k < pictures.size(); ++k)
        for (std::size_t o = 0; o < pictures[k].count(); ++o)
            truth[static_cast<std::int64_t>(k)][static_cast<std::int64_t>(o)].copy_(
                torch::from_blob(const_cast<float*>(pictures[k].row(o).data()), {columns}));
    return truth;
}

TEST(Nets, FoldedNetworkSeesWhatTheLearningOneSaw) {
    const torch::NoGradGuard no_grad;
    const Folder folder;
    for (const char* name : {"figures", "slots"}) {
        ObjectNetwork network = used_network(name);
        store(network, folder / "weights");
        ObjectNetwork folded = load_object_network(TensorFile::read(folder / "weights"));
        const Tensor picture = torch::randn({2, 3, network->settings.height, network->settings.width});
        const Tensor features = network->trunk->forward(picture);
        const Tensor same = folded->trunk->forward(picture);
        EXPECT_LT((network->dense(features) - folded->dense(same)).abs().max().item<float>(), 1e-3) << name;
        if (network->slots.is_empty()) continue;
        EXPECT_LT((network->slots(features).rows - folded->slots(same).rows).abs().max().item<float>(), 1e-3);
    }
}

TEST(Nets, ForeignWeightsAreRefusedByName) {
    const Folder folder;
    const ObjectNetwork network = used_network("figures");
    std::vector<StoredTensor> weights = folded_weights(*network);
    const auto refusal = [&](const std::vector<StoredTensor>& tensors, const std::string& name) -> std::string {
        write_tensor_file(folder / "bad", tensors, {{"network", name}});
        try {
            load_object_network(TensorFile::read(folder / "bad"));
        } catch (const PerceptionError& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    EXPECT_NE(refusal(weights, "figurines").find("figures, solids, slots"), std::string::npos);
    std::vector<StoredTensor> fewer(weights.begin() + 1, weights.end());
    EXPECT_NE(refusal(fewer, "figures").find(weights.front().name), std::string::npos);
    std::vector<StoredTensor> more = weights;
    more.push_back({"surplus", {1}, {0.F}});
    EXPECT_NE(refusal(more, "figures").find("surplus"), std::string::npos);
    std::vector<StoredTensor> other = weights;
    other.front() = {other.front().name, {1}, {0.F}};
    EXPECT_NE(refusal(other, "figures").find("shape"), std::string::npos);
}

TEST(Nets, SlotsOfAnEarlierKindAreRefusedWithWhatToDo) {
    const Folder folder;
    std::vector<StoredTensor> weights = folded_weights(*used_network("slots"));
    std::erase_if(weights, [](const StoredTensor& one) { return one.name.starts_with("slots.narrowness"); });
    write_tensor_file(folder / "old", weights, {{"network", "slots"}});
    try {
        load_object_network(TensorFile::read(folder / "old"));
        ADD_FAILURE() << "not refused";
    } catch (const PerceptionError& error) {
        EXPECT_NE(std::string(error.what()).find("neumann train slots"), std::string::npos) << error.what();
    }
}

// The optimiser's view of the weights is theirs: what it changes, the network has, also after they were read anew.
TEST(Nets, FlatParametersAreTheNetworksOwn) {
    torch::manual_seed(4);
    torch::nn::Linear layer(3, 2);
    FlatParameters flat(layer->parameters());
    EXPECT_EQ(flat.all().numel(), 8);
    layer(torch::ones({1, 3})).sum().backward();
    EXPECT_EQ(flat.all().grad().sum().item<float>(), 8);
    layer->weight.set_data(torch::ones({2, 3}));
    flat.gather();
    const torch::NoGradGuard no_grad;
    flat.all().add_(1);
    EXPECT_TRUE(torch::equal(layer->weight, torch::full({2, 3}, 2.F)));
    std::vector<FlatParameters> parts{flat};
    clip_gradients(parts, 0.5);
    EXPECT_NEAR(layer->weight.grad().norm().item<double>(), 0.5 * std::sqrt(6.0 / 8), 1e-5);
}

TEST(Nets, SolidScenesHaveRowsOnlyWhereAsked) {
    for (std::uint64_t k = 0; k < 40; ++k) {
        EXPECT_GE(training_solids(3, Split::Train, k).objects.size(), 3U);
        EXPECT_LE(training_solids(3, Split::Train, k, {.rows = 1}).objects.size(), 3U);
    }
}

// The networks without LibTorch (src/infer), with the bundled weights.
TEST(Nets, OnTheProcessorObjectsAreThoseOfLibTorch) {
    TraceOptions quick = TraceOptions::training();
    quick.width = 192;
    quick.samples = 16;
    for (const char* name : {"figures", "solids", "slots"}) {
        const TensorFile weights = TensorFile::read(weights_of(name));
        const auto torch = open_perceiver(weights, {.device = "cpu", .threads = 1});
        const auto ours = open_on_processor(weights, 1);
        for (std::uint64_t k = 0; k < 3; ++k) {
            const Image image = torch->layout().flat()
                                    ? draw_figure(training_figure(1, Split::Test, k), 128 + 32 * k, 128)
                                    : trace_scene(training_solids(1, Split::Test, k), quick).picture;
            const SeenObjects a = torch->look(std::span(&image, 1)).front();
            const SeenObjects b = ours->look(std::span(&image, 1)).front();
            ASSERT_GT(a.count(), 0U) << name << " " << k;
            ASSERT_EQ(a.count(), b.count()) << name << " " << k;
            for (std::size_t n = 0; n < a.rows.size(); ++n) EXPECT_NEAR(a.rows[n], b.rows[n], 1e-4) << name << " " << k;
            ASSERT_EQ(a.attention.size(), b.attention.size());
            for (std::size_t slot = 0; slot < a.attention.size(); ++slot)
                for (std::size_t n = 0; n < a.attention[slot].data.size(); ++n)
                    EXPECT_NEAR(a.attention[slot].data[n], b.attention[slot].data[n], 1) << name << " " << k;
        }
    }
}

TEST(Nets, WhatIsSeenDependsOnThePictureAlone) {
    const Folder folder;
    store(used_network("figures"), folder / "weights");
    const TensorFile weights = TensorFile::read(folder / "weights");
    std::vector<Image> pictures;
    for (std::uint64_t k = 0; k < 9; ++k)
        pictures.push_back(draw_figure(training_figure(1, Split::Test, k), 128 + 32 * (k % 3), 128));
    const auto one_by_one = open_perceiver(weights, {.device = "cpu", .threads = 1});
    const auto together = open_perceiver(weights, {.device = "cpu", .threads = 3});
    const std::vector<SeenObjects> all = together->look(pictures);
    ASSERT_EQ(all.size(), pictures.size());
    for (std::size_t k = 0; k < pictures.size(); ++k)
        EXPECT_EQ(one_by_one->look(std::span(pictures).subspan(k, 1)).front().rows, all[k].rows) << k;
}

TEST(Nets, DenseLossTeachesNothingThatIsLeftOut) {
    const NetworkSettings settings = figures_settings();
    const Scene figure = training_figure(3, Split::Train, 7);
    const Tensor truth = truth_of({seen_of(figure, 128, 128)});
    Tensor map = torch::randn({1, settings.layout->columns, 32, 32}).requires_grad_();
    dense_loss(map, truth, settings, "color").backward();
    const AttributeColumns& color = *settings.layout->find("color");
    const AttributeColumns& shape = *settings.layout->find("shape");
    EXPECT_EQ(map.grad().narrow(1, color.first, 3).abs().max().item<float>(), 0);
    EXPECT_GT(map.grad().narrow(1, shape.first, 3).abs().max().item<float>(), 0);
    EXPECT_GT(map.grad().select(1, column::presence).abs().max().item<float>(), 0);
}

TEST(Nets, SlotLossDoesNotDependOnWhichSlotHoldsWhat) {
    torch::manual_seed(2);
    const NetworkSettings settings = solids_settings();
    const std::int64_t cells = settings.cells_across() * settings.cells_down();
    std::vector<SeenObjects> scenes;
    for (std::uint64_t k = 0; k < 3; ++k) scenes.push_back(seen_of(training_solids(2, Split::Train, k), 192, 128));
    const Tensor truth = truth_of(scenes);
    const Tensor seen = torch::randint(0, 5, {3, cells}, torch::kInt64).to(torch::kUInt8);
    const auto round = [&]() -> SlotHeadImpl::Round {
        return {torch::randn({3, SlotHeadImpl::slots, settings.layout->columns}),
                torch::softmax(torch::randn({3, cells, SlotHeadImpl::slots}), 2)};
    };
    const SlotHeadImpl::Result result{round(), {round(), round()}, {}};
    const double before = slot_loss(result, truth, seen, settings, 2).item<double>();
    const Tensor order = torch::randperm(SlotHeadImpl::slots);
    const auto in_order = [&](const SlotHeadImpl::Round& one) -> SlotHeadImpl::Round {
        return {one.rows.index_select(1, order), one.attention.index_select(2, order)};
    };
    const SlotHeadImpl::Result shuffled{
        in_order(result), {in_order(result.earlier[0]), in_order(result.earlier[1])}, {}};
    EXPECT_NEAR(slot_loss(shuffled, truth, seen, settings, 1).item<double>(), before, 1e-4 * before);
}

TEST(Nets, AugmentationIsTheSameForTheSameSeed) {
    const Tensor pictures = torch::rand({4, 3, 32, 32}) * 2 - 1;
    torch::Generator first = device_generator(torch::kCPU, 9);
    const Tensor a = augmented(pictures.clone(), {}, first);
    torch::Generator second = device_generator(torch::kCPU, 9);
    const Tensor b = augmented(pictures.clone(), {}, second);
    EXPECT_TRUE(torch::equal(a, b));
    EXPECT_FALSE(torch::equal(a, pictures));
    EXPECT_LE(a.abs().max().item<float>(), 1);
}

ObjectTraining small_training(const Folder& folder, const std::string& name) {
    ObjectTraining request;
    request.network = "figures";
    request.weights = folder / (name + ".safetensors");
    request.checkpoint = folder / (name + ".checkpoint");
    request.pictures = 48;
    request.validation_pictures = 8;
    request.batch = 8;
    request.steps = 6;
    request.measure_every = 100;
    request.checkpoint_every = 100;
    request.device.threads = 1;
    return request;
}

std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Nets, TrainingGoesOnAsIfItHadNotStopped) {
    const Folder folder;
    Silent whole_log;
    const ObjectTraining whole = small_training(folder, "whole");
    EXPECT_TRUE(train_object_network(whole, whole_log).complete);
    ObjectTraining parts = small_training(folder, "parts");
    Silent first(3);
    EXPECT_FALSE(train_object_network(parts, first).complete);
    parts.resume = true;
    Silent second;
    EXPECT_TRUE(train_object_network(parts, second).complete);
    std::vector<double> losses = first.losses;
    losses.insert(losses.end(), second.losses.begin(), second.losses.end());
    EXPECT_EQ(losses, whole_log.losses);
    EXPECT_EQ(bytes_of(parts.weights), bytes_of(whole.weights));
    parts.batch = 7;
    Silent third;
    EXPECT_THROW(train_object_network(parts, third), PerceptionError);
    std::ofstream(parts.checkpoint) << "no checkpoint";
    EXPECT_THROW(train_object_network(parts, third), PerceptionError);
}

// The loss: minus the logarithm of the probability that each object is red, whatever it is.
TEST(Nets, GradientsByRowsReachTheWeights) {
    const Folder folder;
    ObjectTraining request = small_training(folder, "start");
    request.steps = 60;
    request.learning_rate = 3e-3;
    Silent silent;
    train_object_network(request, silent);
    const auto perceiver = open_trainable_perceiver(TensorFile::read(request.weights),
                                                    {.attribute = "color", .learning_rate = 0.05}, {.threads = 1});
    std::vector<Image> pictures;
    for (std::uint64_t k = 0; k < 4; ++k)
        pictures.push_back(draw_figure(training_figure(1, Split::Train, k), 128, 128));
    const unsigned red = flat_layout().find("color")->first;
    const auto redness = [&](bool learn) {
        const std::vector<SeenObjects> seen = perceiver->look_and_remember(pictures);
        double sum = 0;
        std::size_t count = 0;
        std::vector<std::vector<float>> gradients;
        for (const SeenObjects& one : seen) {
            std::vector<float>& gradient = gradients.emplace_back(one.rows.size());
            for (std::size_t k = 0; k < one.count(); ++k, ++count) {
                sum += one.row(k)[red];
                gradient[k * one.layout->columns + red] = -1 / one.row(k)[red];
            }
        }
        if (learn) perceiver->learn(gradients);
        EXPECT_GT(count, 0U);
        return sum / static_cast<double>(std::max<std::size_t>(count, 1));
    };
    const double before = redness(false);
    EXPECT_NEAR(before, 1.0 / 3, 0.05);
    for (int k = 0; k < 30; ++k) redness(true);
    EXPECT_GT(redness(false), 0.9);
    perceiver->save(folder / "learned.safetensors");
    const auto again = open_perceiver(TensorFile::read(folder / "learned.safetensors"), {.threads = 1});
    for (const SeenObjects& one : again->look(pictures))
        for (std::size_t k = 0; k < one.count(); ++k) EXPECT_GT(one.row(k)[red], 0.5);
}

}  // namespace
}  // namespace neumann
