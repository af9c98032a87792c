// The files of a data set: scenes, examples, questions, images.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json_fields.h"
#include "base/parallel.h"
#include "base/unfinished_files.h"
#include "datasets/dataset.h"
#include "datasets/questions.h"
#include "image/png.h"
#include "render/draw_figure.h"
#include "scene/camera.h"
#include "scene/figure_json.h"
#include "scene/scene_json.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw FileError(fmt::format("cannot make the folder {}: {}", path.string(), error.message()));
}

void write_text(const fs::path& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

// How the data set is made: everything that decides a byte of it.
Json describe(const DatasetRequest& request, const ValuationOptions& options, const std::string& program) {
    Json splits = Json::object();
    for (const Split split : request.splits) splits[std::string(split_name(split))] = dataset_size(request, split);
    Json result = {{"dataset", request.name}, {"pattern", request.pattern}, {"seed", request.seed},
                   {"examples", splits},      {"noise", options.noise},     {"flip", options.flip}};
    if (request.borderline > 0) result["borderline"] = request.borderline;
    if (request.label_noise > 0) result["label_noise"] = request.label_noise;
    if (!program.empty()) result["program"] = "program.nm";
    if (request.images) {
        result["images"] = {{"width", request.width}, {"height", request.height}};
        if (find_dataset(request.name)->solid) result["images"]["samples"] = request.trace.samples;
    }
    return result;
}

// Whether a run was killed while it wrote the very first file.
bool was_hardly_begun(const fs::path& folder) {
    std::error_code error;
    return std::all_of(fs::directory_iterator(folder, error), {}, [](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        return name.starts_with("dataset.json.") && name.ends_with(".tmp");
    });
}

// An empty folder, or one that an earlier run with the same request began.
void require_own_folder(const fs::path& folder, const Json& description) {
    std::error_code error;
    if (!fs::exists(folder, error) || fs::is_empty(folder, error) || was_hardly_begun(folder)) return;
    std::ifstream file(folder / "dataset.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Json found = Json::parse(text, nullptr, false);
    if (found.is_object()) found.erase("complete");
    if (found == description) return;
    throw FileError(fmt::format("{} is not empty and holds {}; choose another folder", folder.string(),
                                text.empty() ? "something else" : "a data set that was made in another way"));
}

std::string image_name(const SceneExample& example, std::size_t image) {
    return example.images.size() == 1 ? example.id + ".png" : fmt::format("{}_img{}.png", example.id, image + 1);
}

class SplitWriter {
public:
    SplitWriter(const DatasetRequest& request, Split split, const fs::path& folder, Progress* progress)
        : request_(request), split_(split), folder_(folder / split_name(split)), progress_(progress) {
        make_folder(folder_);
        examples_ = make_examples(request, split);
        for (SceneExample& example : examples_) {
            for (std::size_t i = 0; i < example.images.size(); ++i) {
                Scene& scene = example.images[i];
                if (scene.image.empty()) scene.image = image_name(example, i);
                if (is_solid())
                    set_pixels(scene, camera_of(scene, with_square_pixels(request.width, request.height)),
                               request.width, request.height);
            }
        }
        std::set<std::string_view> seen;  // questions share scenes
        for (const SceneExample& example : examples_) {
            for (const Scene& scene : example.images) {
                if (seen.insert(scene.image).second) pictures_.push_back({&scene, example.label});
            }
        }
    }

    void write_scenes() const {
        std::vector<SceneRecord> records;
        std::string lines;
        for (const auto& [scene, label] : pictures_) {
            if (is_solid()) {
                SceneRecord record{*scene, std::string(split_name(split_)), records.size(), {}};
                record.camera = camera_fields(*scene, all_directions(camera_of(*scene)));
                records.push_back(std::move(record));
            } else {
                lines += figure_json_line(*scene, label);
            }
        }
        if (is_solid()) {
            std::ranges::sort(records, {}, [](const SceneRecord& record) { return record.scene.image; });
            for (std::size_t i = 0; i < records.size(); ++i) records[i].index = i;
            write_text(folder_ / "scenes.json", scenes_json(records, std::string(split_name(split_))));
            lines = scenes_json_lines(records);
        }
        write_text(folder_ / "scenes.jsonl", lines);
    }

    void write_examples(const Valuation& valuation, const ValuationOptions& options) const {
        std::vector<std::string> lines(examples_.size());
        constexpr std::size_t chunk = 512;
        std::atomic<std::size_t> done{0};
        parallel_chunks(request_.threads, (lines.size() + chunk - 1) / chunk, [&](std::size_t c) {
            for (std::size_t e = c * chunk; e < std::min(lines.size(), (c + 1) * chunk); ++e)
                lines[e] = example_text(valuation, options, examples_[e]);
            done += chunk;
            report("writing examples", std::min<std::size_t>(done, lines.size()), lines.size());
        });
        write_text(folder_ / "examples.jsonl", fmt::format("{}", fmt::join(lines, "")));
    }

    void write_questions() const {
        QuestionSet set = make_questions(question_options(request_, split_));
        set.questions.resize(std::min(set.questions.size(), examples_.size()));
        write_text(folder_ / "questions.json", questions_json(set));
        write_text(folder_ / "questions.jsonl", questions_json_lines(set));
    }

    // Images that exist already were finished by an earlier run.
    void write_images() const {
        make_folder(folder_ / "images");
        if (is_solid()) make_folder(folder_ / "masks");
        std::vector<const Scene*> scenes;
        for (const Picture& picture : pictures_) {
            if (!fs::exists(folder_ / "images" / picture.scene->image)) scenes.push_back(picture.scene);
        }
        std::atomic<std::size_t> done{0};
        parallel_chunks(request_.threads, scenes.size(), [&](std::size_t i) {
            const Scene& scene = *scenes[i];
            if (is_solid()) {
                const TracedScene traced = trace_scene(scene, picture_options());
                write_png(folder_ / "masks" / scene.image, traced.mask);
                write_png(folder_ / "images" / scene.image, traced.picture);
            } else {
                write_png(folder_ / "images" / scene.image, draw_figure(scene, request_.width, request_.height));
            }
            report("drawing pictures", ++done, scenes.size());
        });
    }

    // The bounding box of each object in its image: [left, top, right, bottom], right and bottom one past the last
    // pixel.
    void write_boxes() const {
        std::vector<std::string> lines(pictures_.size());
        parallel_chunks(request_.threads, lines.size(), [&](std::size_t i) {
            const Scene& scene = *pictures_[i].scene;
            std::vector<std::string> boxes;
            for (const Box& box : boxes_of(scene))
                boxes.push_back(fmt::format("[{}, {}, {}, {}]", box.left, box.top, box.right, box.bottom));
            lines[i] =
                fmt::format("{{\"image\": {}, \"boxes\": [{}]}}\n", json_text(scene.image), fmt::join(boxes, ", "));
        });
        write_text(folder_ / "boxes.jsonl", fmt::format("{}", fmt::join(lines, "")));
    }

private:
    std::vector<Box> boxes_of(const Scene& scene) const {
        if (!is_solid()) return figure_boxes(scene, request_.width, request_.height);
        return trace_masks(scene, picture_options()).boxes;
    }
    TraceOptions picture_options() const {
        TraceOptions options = request_.trace;
        options.width = request_.width;
        options.height = request_.height;
        options.camera = with_square_pixels(options.width, options.height, options.camera);
        options.threads = 1;  // several images are drawn at a time
        return options;
    }
    bool is_solid() const { return find_dataset(request_.name)->solid; }

    static std::map<std::string, std::array<double, 3>> all_directions(const Camera& camera) {
        const Directions directions = camera.directions();
        return {{"left", directions.left},     {"right", directions.right}, {"front", directions.front},
                {"behind", directions.behind}, {"above", {0, 0, 1}},        {"below", {0, 0, -1}}};
    }

    static std::string example_text(const Valuation& valuation, const ValuationOptions& options,
                                    const SceneExample& example) {
        Perception perception;
        for (const Scene& scene : example.images) perception.images.push_back(&scene);
        perception.query = example.query;
        Rng chance(example.images.front().seed ^ 0x76616c75ULL);
        std::string more;
        if (example.label) more += fmt::format(", \"label\": {}", *example.label);
        if (!example.query.empty()) more += fmt::format(", \"query\": {}", json_text(example.query));
        if (!example.answer.empty()) more += fmt::format(", \"answer\": {}", json_text(example.answer));
        std::vector<std::string> images;
        for (const Scene& scene : example.images) images.push_back(json_text(scene.image));
        more += fmt::format(", \"images\": [{}]", fmt::join(images, ", "));
        return example_line(example.id, valuation.nonzero(perception, options.flip > 0 ? &chance : nullptr), more);
    }

    void report(std::string_view doing, std::size_t done, std::size_t total) const {
        if (progress_ != nullptr) progress_->update(fmt::format("{}: {}", split_name(split_), doing), done, total);
    }

    const DatasetRequest& request_;
    Split split_;
    fs::path folder_;
    Progress* progress_;
    std::vector<SceneExample> examples_;
    struct Picture {
        const Scene* scene;  // of examples_
        std::optional<unsigned> label;
    };
    std::vector<Picture> pictures_;  // each once
};

}  // namespace

void write_dataset(const DatasetRequest& given, const fs::path& folder, const Valuation* valuation,
                   const ValuationOptions& options, const std::string& program, Progress* progress) {
    DatasetRequest request = given;
    const DatasetInfo& info = *find_dataset(request.name);
    if (request.width == 0 || request.height == 0) {
        request.width = info.width;
        request.height = info.height;
    }
    Json description = describe(request, options, program);
    require_own_folder(folder, description);
    make_folder(folder);
    remove_abandoned_files(folder);
    const auto write_description = [&](bool complete) {
        Json text = description;
        text["complete"] = complete;
        write_text(folder / "dataset.json", text.dump(2) + "\n");
    };
    write_description(false);
    if (!program.empty()) write_text(folder / "program.nm", program);
    for (const Split split : request.splits) {
        const SplitWriter writer(request, split, folder, progress);
        writer.write_scenes();
        if (valuation != nullptr) writer.write_examples(*valuation, options);
        if (request.name == "behind-the-scenes") writer.write_questions();
        if (!request.images) continue;
        writer.write_boxes();
        writer.write_images();
    }
    write_description(true);
}

}  // namespace neumann
