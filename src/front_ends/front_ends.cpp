#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "front_ends/front_end.h"

namespace neumann {
namespace {

#define FRONT_END(name) &name##_front_end,
constexpr const FrontEnd* front_end_list[] = {
#include "front_ends/languages/registry.inc"
};
#undef FRONT_END

bool claims(const FrontEnd& one, const std::filesystem::path& path) {
    return std::ranges::find(one.endings, path.extension().string()) != one.endings.end() ||
           (one.detects != nullptr && one.detects(path));
}

}  // namespace

std::span<const FrontEnd* const> all_front_ends() { return front_end_list; }

const FrontEnd* find_front_end(std::string_view name) {
    const auto* const found = std::ranges::find(front_end_list, name, &FrontEnd::name);
    return found == std::end(front_end_list) ? nullptr : *found;
}

const FrontEnd& front_end_of(const std::filesystem::path& path) {
    // A folder may have any name.
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored);
    const auto* const found = std::ranges::find_if(
        front_end_list, [&](const FrontEnd* one) { return one->is_folder == is_folder && claims(*one, path); });
    return found == std::end(front_end_list) ? *front_end_list[0] : **found;
}

std::vector<const Road*> roads_for(const FrontEnd& front_end, const ReadRequest& request) {
    std::vector<const Road*> roads;
    for (const Road& road : front_end.roads) {
        if (road.is_typed() || !request.needs_types) roads.push_back(&road);
    }
    return roads;
}

Program read_translated(const FrontEnd& front_end, const ReadRequest& request, Diagnostics& diagnostics,
                        std::vector<std::string>& notes, std::string* text) {
    Program original;  // has the sources for diagnostics about them
    const auto file = load_text(request.path, *original.sources, diagnostics, request.load.limits);
    TranslatedText translated;
    if (file) translated = front_end.translate(*original.sources, *file, diagnostics, notes);
    if (!file || diagnostics.has_errors()) {
        original.vocabulary_complete = false;
        return original;
    }
    if (text != nullptr) *text = translated.text;
    return parse_program(std::move(translated.name), std::move(translated.text), request.load, diagnostics);
}

}  // namespace neumann
