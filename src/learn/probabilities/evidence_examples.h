// Interpretations in ProbLog's format: evidence(heads(c1),true). evidence(win,false). Lines of three dashes or
// more separate examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/examples.h>

#include "base/source.h"

namespace neumann {

class EvidenceExamples : public ExampleSource {
public:
    explicit EvidenceExamples(const std::string& path);  // throws Error

    std::vector<Example> next(std::size_t most) override;
    const std::string& name() const override { return name_; }
    std::string place(const Example& example) const override;
    std::string describe(const Example& example, const ExampleMistake& mistake) const override;

private:
    struct Observed {
        std::string_view atom;  // in the source
        bool holds;
        LineColumn place;
    };

    std::string name_;
    SourceSet sources_;
    std::vector<std::vector<Observed>> examples_;
    std::size_t next_ = 0;
};

// The format is detected from the contents: JSON Lines, or evidence. Throws Error.
std::unique_ptr<ExampleSource> open_interpretations(const std::string& path);

}  // namespace neumann
