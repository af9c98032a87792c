// Perception: what networks see in pictures.
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

// What a network runs on.
struct DeviceOptions {
    std::string device = "cpu";  // cuda, cuda:1, or auto: a GPU where there is one
    unsigned threads = 0;        // of the processor; 0: as many as the machine has
};

// How pictures are looked at.
struct LookOptions {
    // figures (flat), solids or slots (solid objects), or a file of weights; auto: as each picture looks.
    std::string network = "auto";
    DeviceOptions device = {};
    std::size_t batch = 32;  // pictures looked at together; what is seen does not depend on it
    std::string cache = {};  // the folder that keeps what was seen; empty: for folders of pictures that of the user
    bool no_cache = false;   // looks at every picture anew and keeps nothing
};

struct LookedAt;

// What was seen of an object, as shares of the picture's width and height, y downwards.
struct SeenObject {
    struct Attribute {
        std::string name;   // color, shape, size, material
        std::string value;  // the most likely one
        float probability = 0;
    };
    std::size_t number = 0;  // in its picture, the most certain object first
    float presence = 0;      // the probability that there is such an object
    float x = 0;             // its centre
    float y = 0;
    float width = 0;  // of the box around all of it, hidden parts too
    float height = 0;
    std::optional<std::array<float, 2>> ground;  // where a solid object stands in the world
    std::vector<Attribute> attributes;
};

struct SeenPicture {
    std::filesystem::path file;
    std::string note;                     // of reading it; empty: none
    std::optional<std::int64_t> label;    // of the example that it belongs to
    bool flat = false;                    // it shows flat figures, not solid objects
    std::vector<std::string> attributes;  // that its objects have
    std::vector<SeenObject> objects;      // of any presence
    std::shared_ptr<const LookedAt> all;  // what the network said
};

// Looks at pictures, each once, one after the other; several are under way at a time.
class PictureLooker {
public:
    // `images` as for open_image_examples(). `attention`: what write_attention() needs is kept. Throws Error where
    // there are none.
    PictureLooker(const std::vector<std::string>& images, const LookOptions& options, bool attention = false);
    PictureLooker(PictureLooker&&) noexcept;
    PictureLooker& operator=(PictureLooker&&) noexcept;
    ~PictureLooker();

    // What there is to look at; a picture may be there more than once. And the folder that they come from, if any.
    const std::vector<std::filesystem::path>& pictures() const;
    const std::filesystem::path& folder() const;

    // The next picture that could be read; nothing after the last. The network is opened when it is first asked for.
    // Throws Error.
    std::optional<SeenPicture> next();

    std::size_t done() const;  // of so many examples
    std::size_t total() const;
    std::string notes() const;  // what to tell people in the end; empty, or ended by a line break
    bool saw_nothing() const;   // there were pictures, and none of them could be read

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The scene that was seen, as a line of JSON with its line break; `number` stands in it where scenes are numbered.
// Objects of a presence below `least` are left out, as in all that follows.
std::string seen_scene_json(const SeenPicture& picture, double least, std::size_t number);

// The objects as a table for people, and as a line of JSON with its line break.
std::string seen_table(const SeenPicture& picture, double least);
std::string seen_json(const SeenPicture& picture, double least);

// The picture with a numbered box around each object and what it is under it, to a file that ends in .svg or .png.
// Throws Error.
void write_annotated(const SeenPicture& picture, double least, const std::filesystem::path& output);

// Where the network looked for each object: BASE_object0.png and so on, where a network has such a thing. Returns how
// many. Throws Error.
std::size_t write_attention(const SeenPicture& picture, double least, const std::filesystem::path& base);

struct ImageExampleOptions {
    LookOptions look = {};
    std::string ask = {};    // the query atom of examples that have none of their own; empty: none
    bool keep_seen = false;  // Example::seen is set
};

// Examples as a network sees them in images: the probabilities of the atoms of a program's neural predicates. An image
// is a file, a folder of them, or a list as JSON Lines. Throws Error for what cannot be read, and for a program that
// says nothing about images.
std::unique_ptr<ExampleSource> open_image_examples(const Model& program, const std::vector<std::string>& images,
                                                   const ImageExampleOptions& options = {});

}  // namespace neumann
