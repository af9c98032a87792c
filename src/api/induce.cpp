#include <neumann/induce.h>

#include <memory>

#include "learn/readers/aleph_task.h"
#include "learn/readers/popper_task.h"
#include "learn/search/positives_only.h"
#include "runtime/with_errors.h"

namespace neumann {
namespace {

InduceResult as_result(const search::SearchResult& induced, const search::Bias& bias) {
    InduceResult result;
    for (const search::Clause& clause : induced.program) result.clauses.push_back(search::print(clause, bias));
    result.size = induced.size;
    result.true_positives = induced.true_positives;
    result.false_positives = induced.false_positives;
    result.true_negatives = induced.true_negatives;
    result.false_negatives = induced.false_negatives;
    result.candidates = induced.candidates;
    result.finished_body = induced.finished_body;
    result.shortest = induced.is_shortest();
    result.interrupted = induced.ended > search::Ended::Settled;
    result.ended = name_of(induced.ended);
    result.work = induced.work;
    result.seconds = induced.seconds;
    return result;
}

template <class Read>
InduceResult induce_task(const Read& read_task, const InduceOptions& options, const InduceProgress& progress,
                         const std::atomic<bool>* stop) {
    return with_errors([&] {
        search::Limits limits{options.work_limit, options.memory, options.time_limit, stop};
        if (options.time_limit <= 0) limits.seconds = search::Limits().seconds;
        const auto work = std::make_shared<search::Work>();
        search::Limits reading = limits;
        reading.work = search::unlimited_work;
        const search::WorkLimits holding(*work, reading);
        search::ReadTask read = read_task(work);
        const search::Bias& bias = read.task.bias;
        if (progress.message) {
            for (const std::string& note : read.notes) progress.message(note);
        }
        if (progress.learning_begins) progress.learning_begins();
        const auto improved = [&](const search::SearchResult& best) {
            if (progress.improved) progress.improved(as_result(best, bias));
        };
        std::string assumed;
        InduceResult result = as_result(search::search_labels(read.task, limits, improved, assumed), bias);
        if (!assumed.empty() && progress.message) progress.message(assumed);
        return result;
    });
}

// What is wrong with a task is ready to be shown.
template <class Read>
auto with_places(const Read& read) {
    return [&read](const std::shared_ptr<search::Work>& work) {
        try {
            return read(work);
        } catch (const search::TaskError& error) {
            throw Error(error.what());
        }
    };
}

}  // namespace

InduceResult induce_popper_task(const std::filesystem::path& folder, const InduceOptions& options,
                                const InduceProgress& progress, const std::atomic<bool>* stop) {
    const auto read = [&](const auto& work) { return search::read_popper_task(folder, work); };
    return induce_task(with_places(read), options, progress, stop);
}

InduceResult induce_aleph_task(const std::filesystem::path& stem, const InduceOptions& options,
                               const InduceProgress& progress, const std::atomic<bool>* stop) {
    const auto read = [&](const auto& work) { return search::read_aleph_task(stem, work); };
    return induce_task(with_places(read), options, progress, stop);
}

}  // namespace neumann
