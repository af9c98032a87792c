// Perception: object detection by networks in images.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <neumann/examples.h>
#include <neumann/model.h>

namespace neumann {

// The device of a network.
struct DeviceOptions {
    std::string device = "cpu";  // cuda, cuda:1, or auto: a GPU where there is one
    unsigned threads = 0;        // of the processor; 0: as many as the machine has
};

// Options of detection.
struct LookOptions {
    // figures (flat), solids or slots (solid objects), or a file of weights; auto: by the look of each image.
    std::string network = "auto";
    DeviceOptions device = {};  // where the network runs
    std::size_t batch = 32;     // images per batch; the results do not depend on it
    std::string cache = {};     // the folder that caches results; empty: for folders of images that of the user
    bool no_cache = false;      // processes every image anew and caches nothing
};

struct LookedAt;

// The detection of an object, as shares of the image's width and height, y downwards.
struct SeenObject {
    // An attribute of an object.
    struct Attribute {
        std::string name;       // color, shape, size, material
        std::string value;      // the most likely one
        float probability = 0;  // that the network gives to the value
    };
    std::size_t number = 0;                      // in its image, the most certain object first
    float presence = 0;                          // the probability that there is such an object
    float x = 0;                                 // its centre
    float y = 0;                                 // … from the top
    float width = 0;                             // of the box around all of it, hidden parts too
    float height = 0;                            // … and its height
    std::optional<std::array<float, 2>> ground;  // where a solid object stands in the world
    std::vector<Attribute> attributes;           // in the order of the network
};

// An image, and the objects that were seen in it.
struct SeenPicture {
    std::filesystem::path file;           // of the image
    std::string note;                     // of reading it; empty: none
    std::optional<std::int64_t> label;    // of the example that it belongs to
    bool flat = false;                    // it shows flat figures, not solid objects
    std::vector<std::string> attributes;  // that its objects have
    std::vector<SeenObject> objects;      // of any presence
    std::shared_ptr<const LookedAt> all;  // the network's output
};

// Runs detection on images, each once, one after the other; several are processed at a time.
class PictureLooker {
public:
    // `images` as for open_image_examples(). `attention`: the data for write_attention() are kept. Throws Error if
    // there are none.
    PictureLooker(const std::vector<std::string>& images, const LookOptions& options, bool attention = false);
    PictureLooker(PictureLooker&&) noexcept;
    PictureLooker& operator=(PictureLooker&&) noexcept;
    ~PictureLooker();

    // The images to process; an image may occur more than once. And their folder, if they have one.
    const std::vector<std::filesystem::path>& pictures() const;
    // The folder of the images; empty: they have none in common.
    const std::filesystem::path& folder() const;

    // The next image that could be read; nothing after the last. The network is opened at its first use.
    // Throws Error.
    std::optional<SeenPicture> next();

    std::size_t done() const;  // of so many examples
    // How many examples there are in all.
    std::size_t total() const;
    std::string notes() const;  // messages for the user at the end; empty, or ended by a line break
    bool saw_nothing() const;   // there were images, and none of them could be read

private:
    struct State;
    std::unique_ptr<State> state_;
};

// How images become examples.
struct ImageExampleOptions {
    LookOptions look = {};   // how objects are detected
    std::string ask = {};    // the query atom of examples that have none of their own; empty: none
    bool keep_seen = false;  // Example::seen is set
};

// Examples as a network sees them in images: the probabilities of the atoms of a program's neural predicates. An image
// is a file, a folder of them, or a list as JSON Lines. Throws Error for unreadable images, and for a program without
// declarations about images.
std::unique_ptr<ExampleSource> open_image_examples(const Model& program, const std::vector<std::string>& images,
                                                   const ImageExampleOptions& options = {});

}  // namespace neumann
