// Perception for tests, without a network: finds the blobs of colour in a picture that has an even ground and tells
// their shape by how much of its box each one fills. Weights say nothing but which layout to use and, for tests of
// what goes wrong, "fail": "open" or "look".
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "perceive/component.h"
#include "perceive/version.h"

namespace {

using namespace neumann;

struct Paint {
    std::string_view name;
    std::array<int, 3> colour;
};
constexpr Paint paints[] = {{"red", {173, 35, 35}}, {"yellow", {255, 238, 51}}, {"blue", {42, 75, 215}}};
constexpr int least_distance = 60;  // of a pixel's colour from that of the ground
constexpr std::size_t least_pixels = 12;

struct Blob {
    unsigned left = ~0U, top = ~0U, right = 0, bottom = 0;
    std::size_t pixels = 0;
    std::array<double, 3> colour{};
};

int distance(const std::uint8_t* pixel, const std::array<int, 3>& colour) {
    int sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += std::abs(pixel[c] - colour[c]);
    return sum;
}

class FakePerceiver : public TrainablePerceiver {
public:
    FakePerceiver(const ObjectLayout& layout, std::string fingerprint, bool fails)
        : layout_(layout), fingerprint_(std::move(fingerprint)), fails_(fails) {}

    const ObjectLayout& layout() const override { return layout_; }
    std::string fingerprint() const override { return fingerprint_; }
    std::vector<SeenObjects> look(std::span<const Image> pictures) override {
        if (fails_) throw PerceptionError("the fake network fails, as it was told to");
        std::vector<SeenObjects> seen;
        for (const Image& picture : pictures) seen.push_back(look_at(picture));
        return seen;
    }
    std::vector<SeenObjects> look_and_remember(std::span<const Image> pictures) override { return look(pictures); }
    void learn(std::span<const std::vector<float>>) override {}
    void save(const std::filesystem::path&) override {}

private:
    SeenObjects look_at(const Image& picture) const {
        SeenObjects seen;
        seen.layout = &layout_;
        for (const Blob& blob : blobs_of(picture)) add_object(picture, blob, seen);
        return seen;
    }

    // Neighbours of the same paint belong together: flood fill.
    static std::vector<Blob> blobs_of(const Image& picture) {
        const std::array<int, 3> ground{picture.at(0, 0)[0], picture.at(0, 0)[1], picture.at(0, 0)[2]};
        std::vector<bool> done(std::size_t{picture.width} * picture.height);
        std::vector<Blob> blobs;
        for (std::size_t start = 0; start < done.size(); ++start) {
            std::vector<std::size_t> open{start};
            Blob blob;
            while (!open.empty()) {
                const std::size_t at = open.back();
                open.pop_back();
                const auto x = static_cast<unsigned>(at % picture.width);
                const auto y = static_cast<unsigned>(at / picture.width);
                if (done[at] || distance(picture.at(x, y), ground) < least_distance) continue;
                done[at] = true;
                ++blob.pixels;
                for (std::size_t c = 0; c < 3; ++c) blob.colour[c] += picture.at(x, y)[c];
                blob.left = std::min(blob.left, x);
                blob.right = std::max(blob.right, x + 1);
                blob.top = std::min(blob.top, y);
                blob.bottom = std::max(blob.bottom, y + 1);
                if (x > 0) open.push_back(at - 1);
                if (x + 1 < picture.width) open.push_back(at + 1);
                if (y > 0) open.push_back(at - picture.width);
                if (y + 1 < picture.height) open.push_back(at + picture.width);
            }
            if (blob.pixels >= least_pixels) blobs.push_back(blob);
        }
        return blobs;
    }

    void set(std::vector<float>& row, std::string_view attribute, std::string_view value, float probability) const {
        const AttributeColumns* found = layout_.find(attribute);
        if (found == nullptr) return;
        const auto others = static_cast<float>(found->values.size() - 1);
        for (std::size_t i = 0; i < found->values.size(); ++i)
            row[found->first + i] = found->values[i] == value ? probability : (1 - probability) / others;
    }

    void add_object(const Image& picture, const Blob& blob, SeenObjects& seen) const {
        std::vector<float> row(layout_.columns);
        const auto width = static_cast<float>(picture.width);
        const auto height = static_cast<float>(picture.height);
        row[column::presence] = 0.99F;
        row[column::x] = static_cast<float>(blob.left + blob.right) / 2 / width;
        row[column::y] = static_cast<float>(blob.top + blob.bottom) / 2 / height;
        row[column::width] = static_cast<float>(blob.right - blob.left) / width;
        row[column::height] = static_cast<float>(blob.bottom - blob.top) / height;
        row[column::ground_x] = &layout_ == &solid_layout() ? row[column::x] : 0;
        row[column::ground_y] = &layout_ == &solid_layout() ? row[column::y] : 0;
        const double fill = static_cast<double>(blob.pixels) / ((blob.right - blob.left) * (blob.bottom - blob.top));
        set(row, "shape", fill > 0.9 ? "square" : fill > 0.65 ? "circle" : "triangle", 1);
        if (&layout_ == &solid_layout()) set(row, "shape", fill > 0.9 ? "cube" : "sphere", 0.75F);
        set(row, "size", blob.pixels > 400 ? "large" : "small", 1);
        set(row, "material", "rubber", 1);
        std::array<std::uint8_t, 3> mean{};
        for (std::size_t c = 0; c < 3; ++c)
            mean[c] = static_cast<std::uint8_t>(blob.colour[c] / static_cast<double>(blob.pixels));
        const Paint& paint = *std::min_element(std::begin(paints), std::end(paints), [&](const auto& a, const auto& b) {
            return distance(mean.data(), a.colour) < distance(mean.data(), b.colour);
        });
        set(row, "color", paint.name, 1);
        seen.rows.insert(seen.rows.end(), row.begin(), row.end());
        if (&layout_ == &solid_layout()) {
            Image mask = Image::blank(8, 8, 1);
            mask.at(static_cast<unsigned>(row[column::x] * 8), static_cast<unsigned>(row[column::y] * 8))[0] = 255;
            seen.attention.push_back(std::move(mask));
        }
    }

    const ObjectLayout& layout_;
    std::string fingerprint_;
    bool fails_;
};

class FakeComponent : public PerceptionComponent {
public:
    std::string description() const override { return "fake"; }
    std::unique_ptr<Perceiver> open(const TensorFile& weights, const DeviceOptions& options) override {
        return make(weights, options);
    }
    std::unique_ptr<TrainablePerceiver> open_trainable(const TensorFile& weights, const TrainablePart&,
                                                       const DeviceOptions& options) override {
        return make(weights, options);
    }
    TrainingOutcome train_objects(const ObjectTraining&, TrainingListener&) override { return {}; }

private:
    static std::unique_ptr<FakePerceiver> make(const TensorFile& weights, const DeviceOptions& options) {
        const auto text = [&](const char* key) {
            const auto found = weights.metadata().find(key);
            return found == weights.metadata().end() ? std::string() : found->second;
        };
        const ObjectLayout* layout = find_layout(text("layout"));
        if (layout == nullptr || text("fail") == "open")
            throw PerceptionError(weights.name() + ": the fake network does not like these weights");
        if (options.device != "cpu") throw PerceptionError("the fake network runs on the processor alone");
        return std::make_unique<FakePerceiver>(*layout, "fake" + text("layout"), text("fail") == "look");
    }
};

}  // namespace

extern "C" const char* neumann_perception_version() {
    // For tests of what happens with a component that was built for something else.
    const char* other = std::getenv("FAKE_PERCEPTION_VERSION");
    return other != nullptr ? other : perception_version;
}

extern "C" neumann::PerceptionComponent* neumann_perception_component() {
    static FakeComponent component;
    return &component;
}
