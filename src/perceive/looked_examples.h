// Examples with object vectors for all their images, one after the other. An image that several examples share is
// evaluated once and released after its last use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "perceive/look_ahead.h"
#include "perceive/picture_examples.h"

namespace neumann {

struct LookedExample {
    std::size_t number = 0;  // among the examples
    const PictureExample* example = nullptr;
    std::vector<std::shared_ptr<const LookedAt>> images;
};

class LookedExamples {
public:
    // Borrows the examples.
    LookedExamples(std::span<const PictureExample> examples, LookAhead::Look look, const LookAheadOptions& options);

    // The next example all of whose images could be read; nothing after the last.
    std::optional<LookedExample> next();

    std::size_t examples_done() const { return at_; }
    // The number of examples left out so far, with reasons for the first few.
    std::size_t skipped() const { return skipped_; }
    const std::vector<std::string>& reasons() const { return reasons_; }

private:
    struct Use {
        std::size_t picture;  // index in the list of evaluated images
        std::size_t left;     // uses by examples to come
        std::shared_ptr<const LookedAt> seen;
    };
    std::span<const PictureExample> examples_;
    std::unordered_map<std::string, Use> uses_;  // by path
    std::unique_ptr<LookAhead> ahead_;
    std::size_t at_ = 0;
    std::size_t skipped_ = 0;
    std::vector<std::string> reasons_;
};

// The final remark about the examples left out; empty if there are none. Ends with a newline.
std::string describe_skipped(std::size_t skipped, std::span<const std::string> reasons, std::size_t other_files);

}  // namespace neumann
