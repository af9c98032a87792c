#include "perceive/looked_examples.h"

#include <utility>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr std::size_t most_reasons = 5;

}  // namespace

LookedExamples::LookedExamples(std::span<const PictureExample> examples, LookAhead::Look look,
                               const LookAheadOptions& options)
    : examples_(examples) {
    std::vector<std::filesystem::path> pictures;
    for (const PictureExample& example : examples) {
        for (const std::filesystem::path& path : example.images) {
            const auto [use, first] = uses_.try_emplace(path.string(), Use{pictures.size(), 0, nullptr});
            ++use->second.left;
            if (first) pictures.push_back(path);
        }
    }
    ahead_ = std::make_unique<LookAhead>(std::move(pictures), std::move(look), options);
}

std::optional<LookedExample> LookedExamples::next() {
    for (; at_ < examples_.size(); ++skipped_) {
        LookedExample result{at_, &examples_[at_], {}};
        ++at_;
        std::string failed;
        for (const std::filesystem::path& path : result.example->images) {
            const auto found = uses_.find(path.string());
            Use& use = found->second;
            // Images come in the order of their first use, so this is the next one.
            if (use.seen == nullptr) use.seen = std::make_shared<const LookedAt>(*ahead_->next());
            result.images.push_back(use.seen);
            if (failed.empty()) failed = use.seen->failed;
            if (--use.left == 0) uses_.erase(found);
        }
        if (failed.empty()) return result;
        if (reasons_.size() < most_reasons) reasons_.push_back(std::move(failed));
    }
    return std::nullopt;
}

std::string describe_skipped(std::size_t skipped, std::span<const std::string> reasons, std::size_t other_files) {
    std::string text;
    for (const std::string& reason : reasons) text += fmt::format("skipped: {}\n", reason);
    if (skipped > reasons.size()) text += fmt::format("skipped: {} more\n", skipped - reasons.size());
    if (other_files > 0)
        text += fmt::format("note: {} other {} in the folder\n", other_files, other_files == 1 ? "file" : "files");
    return text;
}

}  // namespace neumann
