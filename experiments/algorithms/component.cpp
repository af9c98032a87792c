// Doors of the shared library.
#include "learn/published/component.h"

#include <utility>

#include "algorithms/published_learner.h"

namespace neumann {
namespace {

class PublishedAlgorithms final : public PublishedComponent {
public:
    std::unique_ptr<LessonLearner> make_learner(LessonRequest request) override {
        return std::make_unique<PublishedLearner>(std::move(request));
    }
};

}  // namespace
}  // namespace neumann

extern "C" neumann::PublishedComponent* neumann_published_component() {
    static neumann::PublishedAlgorithms component;
    return &component;
}

extern "C" const char* neumann_published_version() { return neumann::published_version; }
