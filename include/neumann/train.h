// Training of perception networks and of neural predicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/model.h>
#include <neumann/perceive.h>
#include <neumann/semantics.h>
#include <neumann/types.h>

namespace neumann {

// Progress of training. Calls come from the thread that trains.
class TrainingListener {
public:
    virtual ~TrainingListener() = default;
    virtual void stage(const std::string& text) = 0;  // work before or beside the steps
    // Called after a step.
    virtual void step(std::uint64_t done, std::uint64_t total, double loss) = 0;
    // A measurement on validation images, under names such as "objects" and "scenes".
    virtual void measured(std::uint64_t step, const std::vector<std::pair<std::string, double>>& values) = 0;
    virtual bool stop() = 0;  // asked after every step: true to end here, with a checkpoint
};

// The options common to all kinds of training.
struct TrainingOptions {
    DeviceOptions device;                     // where it is trained
    std::uint64_t seed = 1;                   // random seed: the same one gives the same weights
    std::uint64_t steps = 0;                  // 0: as the task's default
    unsigned batch = 0;                       // 0: as the task's default
    double learning_rate = 0;                 // 0: as the task's default
    std::filesystem::path weights;            // the result
    std::filesystem::path checkpoint;         // empty: none
    bool resume = false;                      // from the checkpoint
    std::uint64_t checkpoint_every = 1000;    // steps
    std::uint64_t measure_every = 0;          // 0: as the task's default
    std::size_t validation_pictures = 0;      // 0: as the task's default
    std::vector<std::filesystem::path> data;  // data sets in folders; empty: images are generated during training
};

// How training went, common to all kinds.
struct TrainingOutcome {
    std::uint64_t steps = 0;                               // that were made, earlier runs that it resumes included
    bool complete = false;                                 // false: stopped before the last step
    double seconds = 0;                                    // of this run
    std::vector<std::pair<std::string, double>> measured;  // the last measurements, by name
};

// The networks that find objects: "figures" (dense, flat), "solids" (dense, solid), "slots" (slot attention, solid).
struct ObjectTraining : TrainingOptions {
    std::string network;         // figures, solids or slots
    std::size_t pictures = 0;    // solid: how many to render at most, 0: default; training begins with the first few
    std::string render = "cpu";  // solid: cpu, or cuda where there is one
    double rows = 0;             // solid: the share of rows of large objects, as the tasks with questions show them
    std::string left_out;        // an attribute that is taught nothing
    // Solid: dense head and slots share a trunk and learn together; the weights of the one not asked for. Empty: not
    // kept.
    std::filesystem::path other_weights;
};

// How a baseline learns.
struct BaselineRecipe {
    std::string name;          // ours or paper
    std::string optimiser;     // adam; adamw: with weight_decay, and gradients of a norm of at most 5
    double learning_rate = 0;  // of the optimiser
    std::string schedule;  // of the rate: constant; cosine: down to 0; warm-up: up in the first twentieth, then cosine
    double weight_decay = 0;          // of adamw
    std::uint64_t epochs = 0;         // passes over the images
    unsigned batch = 0;               // images for each step
    bool augmented = false;           // training images get noise, blur and changes of contrast
    std::string kept;                 // the epoch whose weights are kept: last, best accuracy, best loss, by validation
    std::uint64_t measure_every = 1;  // epochs; the last one always is
};

// Networks that classify images without any logic, for comparison. They learn from labelled images alone.
// Steps of TrainingOptions are not used; a batch and a learning rate of 0, as well as 0 epochs, are those of the
// recipe.
struct BaselineTraining : TrainingOptions {
    std::string model;            // cnn: from pixels; mlp: from objects in a row; set: from a set of objects
    std::string size = "small";   // cnn: small or resnet18
    std::string kind = "auto";    // of the images; auto: by the look of the first one
    std::string object_network;   // mlp, set: the name of bundled weights, or a file; empty: as the kind asks for
    std::filesystem::path seen;   // mlp, set: a folder that caches detections; empty: none
    std::string recipe = "ours";  // paper: as published
    std::uint64_t epochs = 0;     // 0: as the recipe has it
    // set: the weight of a penalty on gradients by attributes that the rule of an image's class does not mention (right
    // for the right reasons); 0: none. For images of CLEVR-Hans with their scenes.
    double explanations = 0;
    std::string precision = "single";  // or bfloat16: where a network may, while weights stay as they are
};

// A measurement while a baseline learned.
struct BaselineEpoch {
    std::uint64_t epoch = 0;  // from 1
    double loss = 0;          // the mean since the one before
    double validation = 0;    // accuracy
};

// Accuracies by a threshold, the best on validation images, between two classes, with batch normalisation by the
// statistics of the images that are measured together, one class after the other, as the published code does.
struct BatchwiseAccuracy {
    double train = 0;            // in random order
    double validation = 0;       // on validation images
    std::optional<double> test;  // on test images, if there are any
};

// How training a baseline went.
struct BaselineOutcome : TrainingOutcome {
    BaselineRecipe recipe;                                  // with the changes of the request
    std::string object_network;                             // mlp, set: the fingerprint of the detection network
    std::uint64_t parameters = 0;                           // numbers that are learned
    std::uint64_t epochs = 0;                               // trained
    std::uint64_t best_epoch = 0;                           // whose weights were kept
    double train_accuracy = 0;                              // share of training images that are classified right
    double validation_accuracy = 0;                         // … of validation images
    std::optional<double> test_accuracy;                    // if there are test images
    std::vector<std::pair<std::string, double>> per_class;  // on test images, or else on those for validation
    std::optional<BatchwiseAccuracy> batchwise;             // the paper's recipe with two classes
    // With explanations: the penalty on training images in the first and in the last epoch.
    std::optional<std::pair<double, double>> wrong_reasons;
    std::vector<BaselineEpoch> curve;  // all measurements, in order
};

// The part of a detection network that is learned through logic.
struct TrainablePart {
    std::string attribute;           // the attribute whose output is learned, anew from chance; all else stays as it is
    double learning_rate = 1e-2;     // of the last layer
    double trunk_learning_rate = 0;  // of everything before the last layer; 0: stays as it is
    std::uint64_t seed = 1;          // random seed
};

// Images for measuring.
struct MeasuredPictures {
    std::size_t count = 0;                    // of images; 0: none
    std::uint64_t seed = 1;                   // of the generated images
    unsigned threads = 1;                     // that draw and see them
    std::vector<std::filesystem::path> data;  // splits of data sets with scenes.jsonl; empty: newly generated images
};

// Learning an attribute through logic: a network is trained with labels of examples with one or several images, and a
// program stands between the network's outputs and the labels.
struct LogicTraining {
    // Images, as for open_image_examples(). Every example has a label, targets or an answer.
    std::vector<std::string> images;
    std::filesystem::path network;  // weights of a dense detector to begin with
    std::filesystem::path weights;  // the result
    // What is learned
    TrainablePart part{.attribute = {}, .learning_rate = 3e-3, .trunk_learning_rate = 3e-3, .seed = 1};
    DeviceOptions device;                                  // where the network runs
    std::string semantics{joint_training_semantics_name};  // of the program while learning
    double gamma = default_gamma;                          // how soft the soft-or is
    unsigned epochs = 8;                                   // passes over the examples
    std::size_t batch = 16;                                // examples for each step
    std::size_t most_images = 0;                           // examples to learn from; 0: all
    // How often objects are seen as they are is measured on these, from which nothing is learned; none: not at all.
    MeasuredPictures measured{.count = 500, .seed = 1, .threads = 1, .data = {}};
    ModelOptions reading = {};                          // options of reading the program
    std::function<void(const std::string&)> warn = {};  // called with the command's warnings, for the user
};

// How training through logic went.
struct LogicTrainingOutcome {
    std::size_t images = 0;                              // that were learned from
    std::uint64_t steps = 0;                             // that were made
    bool complete = true;                                // false: stopped before the last step
    double seconds = 0;                                  // of this run
    std::vector<std::pair<std::string, double>> before;  // measured; unknown values are NaN
    std::vector<std::pair<std::string, double>> after;   // the same after learning
};

// Learning the weights of relations from generated scenes.
struct PredicateTrainingOptions {
    std::uint64_t seed = 1;             // random seed
    std::size_t samples = 20'000;       // to learn from, for each relation
    std::size_t test_samples = 10'000;  // fresh ones
    double noise = 0.004;               // of measured centres, as shares of the image; without it slopes are unbounded
    double ridge = 1e-6;  // times half the squared weight of the standardised feature, beside the mean loss
};

// The weights of a relation.
struct TrainedPredicate {
    std::string name;           // flat.closeby
    double weight = 0;          // of the standardised feature
    double bias = 0;            // the constant term
    double threshold = 0;       // of the feature, where the probability is ½
    double train_accuracy = 0;  // on the samples it was learned from
    double test_accuracy = 0;   // on fresh samples of the same kind, many of them near the threshold
    double scene_accuracy = 0;  // on fresh samples from generated scenes alone
    std::size_t samples = 0;    // learned from
};

// Each writes a file of weights, which `network` options take. They throw Error.
TrainingOutcome train_objects(const ObjectTraining& request, TrainingListener& listener);
// The same for a baseline.
BaselineOutcome train_baseline(const BaselineTraining& request, TrainingListener& listener);
// Labels and answers are about the same atoms as in Session::count_right(). The program stays unchanged. Writes the
// weights.
LogicTrainingOutcome train_through_logic(const std::filesystem::path& program, const LogicTraining& request,
                                         TrainingListener& listener);
// The weights of all relations of scenes, written to one file.
std::vector<TrainedPredicate> train_predicates(const PredicateTrainingOptions& options,
                                               const std::filesystem::path& weights,
                                               const ProgressFunction& progress = {});

// Whether a GPU can draw images for training: ObjectTraining::render.
bool can_render_on_cuda();

}  // namespace neumann
