#include "induce/induce.h"

#include <neumann/induce.h>

#include "induce/popper_task.h"
#include "runtime/with_errors.h"

namespace neumann {
namespace {

InduceResult as_result(const induce::Induced& induced, const induce::Bias& bias) {
    InduceResult result;
    for (const induce::Clause& clause : induced.program) result.clauses.push_back(induce::print(clause, bias));
    result.size = induced.size;
    result.true_positives = induced.true_positives;
    result.false_positives = induced.false_positives;
    result.true_negatives = induced.true_negatives;
    result.false_negatives = induced.false_negatives;
    result.candidates = induced.candidates;
    result.finished_body = induced.finished_body;
    result.shortest = induced.shortest;
    result.interrupted = induced.stopped;
    result.seconds = induced.seconds;
    return result;
}

induce::PopperTask read_task(const std::filesystem::path& folder) {
    try {
        return induce::read_popper_task(folder);
    } catch (const induce::TaskError& error) {
        throw Error(error.what());
    }
}

}  // namespace

InduceResult induce_popper_task(const std::filesystem::path& folder, const InduceOptions& options,
                                const InduceProgress& progress, const std::atomic<bool>* stop) {
    return with_errors([&] {
        induce::PopperTask read = read_task(folder);
        const induce::Bias& bias = read.task.bias;
        if (progress.message) {
            for (const std::string& note : read.notes) progress.message(note);
        }
        if (progress.learning_begins) progress.learning_begins();
        const auto improved = [&](const induce::Induced& best) {
            if (progress.improved) progress.improved(as_result(best, bias));
        };
        return as_result(induce::induce(read.task, {options.time_limit, options.memory, stop}, improved), bias);
    });
}

}  // namespace neumann
