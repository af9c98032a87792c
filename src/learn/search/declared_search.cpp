#include "learn/search/declared_search.h"

#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "learn/search/positives_only.h"

namespace neumann {
namespace {

std::string improvement(const search::SearchResult& best) {
    const std::size_t wrong = best.false_positives + best.false_negatives;
    return fmt::format("search: {} wrong of {}: {} with {}", wrong, wrong + best.true_positives + best.true_negatives,
                       counted(best.program.size(), "clause"), counted(best.size, "literal"));
}

}  // namespace

search::SearchResult search_declared_task(DeclaredSearch& declared, const search::Limits& limits, RunProgress& progress,
                                          std::vector<std::string>& notes) {
    std::string assumed;
    search::SearchResult found = search::search_labels(
        declared.task.task, limits, [&](const search::SearchResult& best) { progress.note(improvement(best)); },
        assumed);
    for (const std::string& text : {assumed, found.hint}) {
        if (text.empty()) continue;
        progress.note(text);
        notes.push_back(text);
    }
    return found;
}

}  // namespace neumann
