#include <set>
#include <utility>

#include <neumann/perceive.h>

#include "compile/with_errors.h"
#include "examples/image_examples.h"
#include "perceive/looking.h"
#include "session/model_state.h"

namespace neumann {
namespace {

SeenObject seen_object(const SeenObjects& seen, std::size_t number) {
    const auto row = seen.row(number);
    SeenObject object;
    object.number = number;
    object.presence = row[column::presence];
    object.x = row[column::x];
    object.y = row[column::y];
    object.width = row[column::width];
    object.height = row[column::height];
    if (!seen.layout->flat()) object.ground = {row[column::ground_x], row[column::ground_y]};
    for (const AttributeColumns& attribute : seen.layout->attributes) {
        const auto [value, probability] = seen.likeliest(number, attribute);
        object.attributes.push_back({std::string(attribute.name), std::string(attribute.values[value]), probability});
    }
    return object;
}

SeenPicture seen_picture(const PictureExample& example, std::size_t image, std::shared_ptr<const LookedAt> looked) {
    SeenPicture picture;
    picture.file = example.images[image];
    picture.note = looked->note;
    picture.label = example.label;
    picture.flat = looked->seen.layout->flat();
    for (const AttributeColumns& attribute : looked->seen.layout->attributes)
        picture.attributes.emplace_back(attribute.name);
    for (std::size_t i = 0; i < looked->seen.count(); ++i) picture.objects.push_back(seen_object(looked->seen, i));
    picture.all = std::move(looked);
    return picture;
}

}  // namespace

struct PictureLooker::State {
    PictureList list;
    LookOptions options;
    bool attention = false;
    std::vector<std::filesystem::path> pictures;
    std::unique_ptr<Looking> looking;
    std::set<std::filesystem::path> told;  // questions share images
    std::optional<LookedExample> example;  // the example whose images are reported now
    std::size_t image = 0;
};

PictureLooker::PictureLooker(const std::vector<std::string>& images, const LookOptions& options, bool attention)
    : state_(std::make_unique<State>()) {
    state_->list = with_errors([&] { return list_pictures(images); });
    state_->options = options;
    state_->attention = attention;
    for (const PictureExample& one : state_->list.examples)
        state_->pictures.insert(state_->pictures.end(), one.images.begin(), one.images.end());
}
PictureLooker::PictureLooker(PictureLooker&&) noexcept = default;
PictureLooker& PictureLooker::operator=(PictureLooker&&) noexcept = default;
PictureLooker::~PictureLooker() = default;

const std::vector<std::filesystem::path>& PictureLooker::pictures() const { return state_->pictures; }
const std::filesystem::path& PictureLooker::folder() const { return state_->list.folder; }

std::optional<SeenPicture> PictureLooker::next() {
    State& of = *state_;
    return with_errors([&]() -> std::optional<SeenPicture> {
        if (of.looking == nullptr) of.looking = std::make_unique<Looking>(of.list, of.options, of.attention);
        while (true) {
            for (; of.example && of.image < of.example->images.size(); ++of.image) {
                if (!of.told.insert(of.example->example->images[of.image]).second) continue;
                const std::size_t image = of.image++;
                return seen_picture(*of.example->example, image, of.example->images[image]);
            }
            of.example = of.looking->next();
            of.image = 0;
            if (!of.example) return std::nullopt;
        }
    });
}

std::size_t PictureLooker::done() const { return state_->looking == nullptr ? 0 : state_->looking->done(); }
std::size_t PictureLooker::total() const { return state_->list.examples.size(); }
std::string PictureLooker::notes() const { return state_->looking == nullptr ? "" : state_->looking->notes(); }
bool PictureLooker::saw_nothing() const { return state_->looking != nullptr && state_->looking->saw_nothing(); }

std::unique_ptr<ExampleSource> open_image_examples(const Model& program, const std::vector<std::string>& images,
                                                   const ImageExampleOptions& options) {
    const std::scoped_lock lock(program.state_->mutex);
    return with_errors(
        [&] { return std::make_unique<ImageExamples>(program.state_->compiled().program.signature, images, options); });
}

}  // namespace neumann
