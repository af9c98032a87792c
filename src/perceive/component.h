// Networks are a component of their own: a shared library that needs LibTorch, found beside the command and loaded when
// it is first asked for. This header is all that the rest knows of it, and needs no LibTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/tensor_file.h"
#include "perceive/perceiver.h"

namespace neumann {

struct DeviceOptions {
    std::string device = "cpu";  // or cuda, cuda:1
    unsigned threads = 0;        // of the processor; 0: as many as the machine has
};

// Told while something is trained. Calls come from the thread that trains.
class TrainingListener {
public:
    virtual ~TrainingListener() = default;
    virtual void stage(const std::string& text) = 0;  // what goes on before or beside the steps
    virtual void step(std::uint64_t done, std::uint64_t total, double loss) = 0;
    // A measurement on validation pictures, under names such as "objects" and "scenes".
    virtual void measured(std::uint64_t step, const std::vector<std::pair<std::string, double>>& values) = 0;
    virtual bool stop() = 0;  // asked after every step: true to end here, with a checkpoint
};

// What all training has in common.
struct TrainingOptions {
    DeviceOptions device;
    std::uint64_t seed = 1;
    std::uint64_t steps = 0;  // 0: as the task's default
    unsigned batch = 0;       // 0: as the task's default
    double learning_rate = 0;
    std::filesystem::path weights;     // the result
    std::filesystem::path checkpoint;  // empty: none
    bool resume = false;               // from the checkpoint
    std::uint64_t checkpoint_every = 1000;
    std::uint64_t measure_every = 0;          // 0: as the task's default
    std::size_t validation_pictures = 0;      // 0: as the task's default
    std::vector<std::filesystem::path> data;  // data sets in folders; empty: pictures are made as they are needed
};

struct TrainingOutcome {
    std::uint64_t steps = 0;
    bool complete = false;  // false: stopped before the last step
    double seconds = 0;     // of this run
    std::vector<std::pair<std::string, double>> measured;
};

// The networks that find objects: "figures" (dense, flat), "solids" (dense, solid), "slots" (slot attention, solid).
struct ObjectTraining : TrainingOptions {
    std::string network;
    std::size_t pictures = 0;    // solid: how many to render at most, 0: default; training begins with the first few
    std::string render = "cpu";  // solid: cpu, or cuda where there is one
    std::string left_out;        // an attribute that is taught nothing
    // Solid: dense head and slots share a trunk and learn together; the weights of the one not asked for. Empty: not
    // kept.
    std::filesystem::path other_weights;
};

// Networks that name a picture's class without any logic, to compare with. They learn from labelled pictures alone.
struct BaselineTraining : TrainingOptions {
    std::string model;           // cnn: from pixels; mlp: from objects in a row; set: from a set of objects
    std::string size = "small";  // cnn: small or resnet18
    std::string kind = "auto";   // of the pictures: flat or solid; auto: as the first one looks
    std::string object_network;  // mlp, set: the name of bundled weights, or a file; empty: as the kind asks for
    std::filesystem::path seen;  // mlp, set: a folder that keeps what was seen; empty: none
    std::uint64_t epochs = 0;    // 0: as the model's default; instead of steps
};

struct BaselineOutcome : TrainingOutcome {
    std::uint64_t parameters = 0;
    std::uint64_t epochs = 0;      // trained
    std::uint64_t best_epoch = 0;  // whose weights were kept: the best on validation pictures
    double train_accuracy = 0;
    double validation_accuracy = 0;
    std::optional<double> test_accuracy;                    // where there are test pictures
    std::vector<std::pair<std::string, double>> per_class;  // on test pictures, or else on those for validation
};

// A network whose weights can still learn, from gradients that come from elsewhere.
class TrainablePerceiver : public Perceiver {
public:
    // Like look(), and what led to it is remembered.
    virtual std::vector<SeenObjects> look_and_remember(std::span<const Image> pictures) = 0;
    // The derivative of a loss by every entry of the rows remembered last; takes one step down along it.
    virtual void learn(std::span<const std::vector<float>> gradients) = 0;
    virtual void save(const std::filesystem::path& path) = 0;
};

struct TrainablePart {
    std::string attribute;  // the attribute whose output is learned, anew from chance; all else stays as it is
    double learning_rate = 1e-2;
    double trunk_learning_rate = 0;  // of everything before the last layer; 0: stays as it is
    std::uint64_t seed = 1;
};

class PerceptionComponent {
public:
    virtual ~PerceptionComponent() = default;
    virtual std::string description() const = 0;  // which LibTorch, which devices
    // Throws PerceptionError where the weights are of no network that is known, or of another shape.
    virtual std::unique_ptr<Perceiver> open(const TensorFile& weights, const DeviceOptions& options) = 0;
    virtual std::unique_ptr<TrainablePerceiver> open_trainable(const TensorFile& weights, const TrainablePart& part,
                                                               const DeviceOptions& options) = 0;
    virtual TrainingOutcome train_objects(const ObjectTraining& request, TrainingListener& listener) = 0;
    virtual BaselineOutcome train_baseline(const BaselineTraining&, TrainingListener&) {
        throw PerceptionError("this component has no baselines");
    }
};

// A component is used only where it was built for this: the project's version and the number of the interface above,
// which grows whenever that, Perceiver or SeenObjects changes.
inline constexpr const char* perception_version = NEUMANN_VERSION " interface 2";

// What the shared library defines, with C linkage: neumann_perception_version() returns perception_version as it was
// built with, neumann_perception_component() the one component, which lives as long as the process.
using PerceptionVersionFunction = const char*();
using PerceptionComponentFunction = PerceptionComponent*();

// Looked for in $NEUMANN_PERCEPTION_LIBRARY (a file), beside the command, and where it is installed, in lib/neumann.
// Loads it. Throws PerceptionError, saying what to install or to build, where there is none.
PerceptionComponent& perception_component();

}  // namespace neumann
