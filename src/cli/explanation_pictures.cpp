#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "cli/explanation_output.h"
#include "compile/with_errors.h"
#include "image/pictures.h"
#include "image/png.h"
#include "perceive/looked_examples.h"
#include "report/object_heat_maps.h"

namespace neumann {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::optional<std::string> bytes = read_file(path);
    if (!bytes) throw FileError(fmt::format("cannot read {}", path.string()));
    return std::move(*bytes);
}

}  // namespace

std::vector<std::filesystem::path> write_heat_maps(const Example& example, const Explanation& explanation,
                                                   const std::filesystem::path& output) {
    if (example.seen == nullptr) return {};
    std::vector<const SeenObjects*> seen;
    for (const auto& image : example.seen->images) seen.push_back(&image->seen);
    return with_errors([&] {
        return write_heat_maps(example.images, seen, explanation.objects, output, HeatMapForm::BesideOriginal);
    });
}

std::vector<ReportPicture> report_pictures(const Example& example, const Explanation& explanation) {
    std::vector<ReportPicture> pictures;
    if (example.seen == nullptr) return pictures;
    return with_errors([&] {
        for (std::size_t i = 0; i < example.images.size(); ++i) {
            const std::filesystem::path& file = example.images[i];
            const Image overlay = overlay_of(read_picture(file), example.seen->images[i]->seen, explanation.objects,
                                             static_cast<std::uint32_t>(i));
            pictures.push_back({file.filename().string(), bytes_of(file), encode_png(overlay)});
        }
        return std::move(pictures);
    });
}

}  // namespace neumann
