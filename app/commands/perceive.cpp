// neumann perceive: object detection in images.
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/perceive.h>

#include "cli/files.h"
#include "cli/seen_output.h"
#include "command.h"
#include "options/picture_options.h"
#include "options/threads_option.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* perceive_examples = R"help(Examples:
  neumann perceive image.png                         the objects as a table
  neumann perceive figures/ --json > objects.jsonl   all images of a folder and below, as JSON
  neumann perceive a.png b.jpg --network solids      with this network for all images
  neumann perceive image.png --annotate seen.svg     the image with boxes and names; as .png the boxes alone
  neumann perceive figures/ --annotate seen/         every image with boxes and names
  neumann perceive figures/ --scene scenes.jsonl     scenes as neumann scene show draws them
  neumann perceive view.png --network slots --attention masks/

Images that cannot be read are skipped, and listed at the end. The objects in the images of a folder are kept in the
user's cache, and detected again only if an image or the network changes. docs/perception.md has more.)help";

struct PerceiveCommand {
    std::vector<std::string> images;
    PictureOptions options;
    double least = 0.5;
    std::string scene_file;
    std::string annotate;
    std::string attention;
    bool json = false;

    void run();

private:
    fs::path output_for(const fs::path& picture, const std::string& folder, const char* extension);
    void look(PictureLooker& looker, AtomicFile* scenes);

    fs::path folder_;
    bool annotate_one_ = false;
    std::set<fs::path> written_;
    std::size_t masks_ = 0;
};

// Whether --annotate names one file, not a folder.
bool names_picture(const std::string& path) {
    std::error_code ignored;
    if (path.empty() || path.ends_with('/') || fs::is_directory(path, ignored)) return false;
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".svg" || ending == ".png") return true;
    if (ending.empty()) return false;
    throw UsageError(fmt::format("--annotate: '{}' ends in neither .svg nor .png, and is no folder", path));
}

// Outputs must not overwrite the input images.
void require_other_file(const char* option, const fs::path& output, const std::vector<fs::path>& pictures) {
    std::error_code ignored;
    for (const fs::path& picture : pictures)
        if (fs::equivalent(output, picture, ignored))
            throw UsageError(
                fmt::format("{}: '{}' is one of the pictures, and would be overwritten", option, output.string()));
}

// In a folder of its own under the same name; images of a folder keep their places in it.
fs::path PerceiveCommand::output_for(const fs::path& picture, const std::string& folder, const char* extension) {
    fs::path name;
    if (!folder_.empty())
        name = fs::absolute(picture).lexically_normal().lexically_relative(fs::absolute(folder_).lexically_normal());
    if (name.empty() || *name.begin() == "..") name = picture.filename();
    fs::path output = fs::path(folder) / fs::path(name).replace_extension(extension);
    for (int more = 2; !written_.insert(output).second; ++more)  // a/1.png and b/1.png, or a.png and a.jpg
        output = fs::path(folder) / name.parent_path() / fmt::format("{}_{}{}", name.stem().string(), more, extension);
    std::error_code error;
    fs::create_directories(output.parent_path(), error);
    if (error)
        throw FileError(fmt::format("cannot make the folder '{}': {}", output.parent_path().string(), error.message()));
    return output;
}

void PerceiveCommand::look(PictureLooker& looker, AtomicFile* scenes) {
    ProgressMeter meter;
    bool first = true;
    std::size_t solid = 0;  // scenes of solid objects are numbered
    while (const std::optional<SeenPicture> seen = looker.next()) {
        if (!json && !std::exchange(first, false)) fmt::print("\n");
        fmt::print("{}", json ? seen_json(*seen, least) : seen_table(*seen, least));
        if (scenes != nullptr) scenes->write(seen_scene_json(*seen, least, seen->flat ? 0 : solid++));
        if (!annotate.empty())
            write_annotated(*seen, least,
                            annotate_one_ ? fs::path(annotate) : output_for(seen->file, annotate, ".svg"));
        if (!attention.empty()) masks_ += write_attention(*seen, least, output_for(seen->file, attention, ".png"));
        meter.update("looking at pictures", looker.done(), looker.total());
    }
}

void PerceiveCommand::run() {
    PictureLooker looker(images, options, !attention.empty());
    folder_ = looker.folder();
    annotate_one_ = names_picture(annotate);
    const std::vector<fs::path>& pictures = looker.pictures();
    if (annotate_one_ && pictures.size() > 1)
        throw UsageError(
            fmt::format("--annotate: {} pictures do not fit into '{}'; name a folder", pictures.size(), annotate));
    if (annotate_one_) require_other_file("--annotate", annotate, pictures);
    if (!scene_file.empty()) require_other_file("--scene", scene_file, pictures);
    std::optional<AtomicFile> scenes;
    if (!scene_file.empty()) scenes.emplace(scene_file);
    look(looker, scenes ? &*scenes : nullptr);
    if (std::fflush(stdout) != 0) throw FileError("cannot write to standard output");
    fmt::print(stderr, "{}", looker.notes());
    if (looker.saw_nothing()) throw UsageError("none of the pictures could be read");
    if (scenes) scenes->commit();
    if (!attention.empty() && masks_ == 0)
        fmt::print(stderr, "note: this network has no masks of attention; --network slots has\n");
}

}  // namespace

void add_perceive_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("perceive", "detect the objects in images");
    const auto options = std::make_shared<PerceiveCommand>();
    command->add_option("IMAGE", options->images, "images, folders of images, or lists of them (JSON Lines)")
        ->required()
        ->type_name("");
    command->add_flag("--json", options->json, "one JSON object per image");
    command->add_option("--least", options->least, "least probability of an object")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->capture_default_str();
    command->add_option("--scene", options->scene_file, "write scenes as JSON Lines")->type_name("FILE");
    command
        ->add_option("--annotate", options->annotate,
                     "draw the detected objects: a file .svg, or .png (boxes without words), or a folder")
        ->type_name("FILE|DIR");
    command->add_option("--attention", options->attention, "write the attention map of each object")->type_name("DIR");
    options->options.add_to(*command, "Network", "--batch");
    add_threads_option(*command, options->options.device.threads)->group("Network");
    command->footer(perceive_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
