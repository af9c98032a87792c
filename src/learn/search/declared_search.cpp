#include "learn/search/declared_search.h"

#include <string>

#include <fmt/format.h>

#include <neumann/text.h>

#include "learn/search/positives_only.h"

namespace neumann {
namespace {

std::string improvement(const search::SearchResult& best) {
    const std::size_t wrong = best.false_positives + best.false_negatives;
    return fmt::format("search: {} wrong of {}: {} with {}", wrong, wrong + best.true_positives + best.true_negatives,
                       counted(best.program.size(), "clause"), counted(best.size, "literal"));
}

}  // namespace

DeclaredOutcome search_declared_task(DeclaredSearch& declared, LessonContext& context) {
    search::Task& task = declared.task.task;
    const auto tell = [&](const std::string& text) { context.progress.note(text); };
    std::string assumed;
    DeclaredOutcome outcome;
    outcome.found = search::search_labels(
        task, {context.options.search_seconds, std::size_t{3} << 29, context.stop},
        [&](const search::SearchResult& best) { tell(improvement(best)); }, assumed);
    if (!assumed.empty()) tell(assumed);
    outcome.stopped = context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
    return outcome;
}

}  // namespace neumann
