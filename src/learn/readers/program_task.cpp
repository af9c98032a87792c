#include "learn/readers/program_task.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analyse/analyse.h"
#include "compile/compile.h"
#include "compile/problems.h"
#include "examples/image_examples.h"
#include "learn/readers/labelled_examples.h"
#include "learn/task/learn_error.h"
#include "logic/translate.h"

namespace neumann {
namespace {

bool is_learned(const Program& program, PredicateId predicate) {
    return std::ranges::find(program.learn, predicate, &LearnTarget::predicate) != program.learn.end();
}

class ProgramTaskReader {
public:
    ProgramTaskReader(const LearningTask& task, Diagnostics& diagnostics, LearnProgress* progress,
                      const std::atomic<bool>* stop)
        : task_(task), diagnostics_(diagnostics), progress_(progress), stop_(stop) {}

    LoadedTask read() {
        if (is_saved_graph(task_.program))
            throw LearnError("a saved graph has nothing left to learn; give the program's text");
        load();
        if (diagnostics_.has_errors()) return std::move(loaded_);
        if (loaded_.program.learn.empty())
            throw LearnError(fmt::format("{} does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1",
                                         task_.program.string()));
        loaded_.train = read_set(task_.train);
        loaded_.validation = read_set(task_.validation);
        loaded_.test = read_set(task_.test);
        return std::move(loaded_);
    }

private:
    void warn(const std::string& text) {
        if (progress_ != nullptr && !text.empty()) progress_->message(text);
    }

    void load() {
        Program& program = loaded_.program;
        program = load_typed(task_.program, load_options(task_.reading), diagnostics_);
        if (program.vocabulary_complete) {
            const std::size_t left_out = std::erase_if(
                program.clauses, [&](const Clause& clause) { return is_learned(program, clause.head.predicate); });
            if (left_out > 0 && progress_ != nullptr)
                progress_->note(fmt::format("note: {} of what is to be learned left out",
                                            left_out == 1 ? "1 clause" : fmt::format("{} clauses", left_out)));
            for (const std::string& file : task_.given) take_given(file);
            if (std::ranges::any_of(program.clauses, [](const Clause& c) { return !c.aggregates.empty(); }))
                loaded_.written = program;
            analyse(program, {}, diagnostics_);
            require_known_parameters(program, diagnostics_);
        }
        if (!diagnostics_.has_errors())
            warn(without_last_break(rendered(diagnostics_, *program.sources, task_.reading)));
    }

    // Clauses of predicates that another program has learned. They replace those of this program.
    void take_given(const std::string& file) {
        Diagnostics reported;
        const Program other = load_program(file, {}, reported);
        if (reported.has_errors()) throw error_of(reported, *other.sources, task_.reading);
        Program& program = loaded_.program;
        std::vector<Clause> taken;
        for (const Clause& clause : other.clauses) {
            const PredicateDecl& learned = other.signature.predicate(clause.head.predicate);
            const PredicateId here = program.signature.find_predicate(learned.name, learned.args.size());
            if (!is_learned(other, clause.head.predicate) || here.is_none()) continue;
            std::erase_if(program.clauses, [&](const Clause& own) { return own.head.predicate == here; });
            std::erase_if(program.learn, [&](const LearnTarget& target) { return target.predicate == here; });
            std::optional<Clause> own = translated(other, clause, program);
            if (!own)
                throw OptionError("given",
                                  fmt::format("{}: a clause of {}/{} has types or functors that {} lacks", file,
                                              learned.name, learned.args.size(), task_.program.string()));
            own->certain = !own->weight;
            taken.push_back(std::move(*own));
        }
        if (taken.empty())
            throw OptionError("given", fmt::format("{} has no clauses of learned predicates that {} knows", file,
                                                   task_.program.string()));
        std::ranges::move(taken, std::back_inserter(program.clauses));
    }

    // From a file of examples, or from images.
    ExampleSet read_set(const std::string& argument) {
        if (argument.empty()) return {};
        if (!names_pictures(argument))
            return read_labelled_examples(argument, loaded_.program, loaded_.pool, task_.positive);
        if (progress_ != nullptr) progress_->looking_begins(argument);
        ImageExamples images(loaded_.program.signature, {argument}, {.look = task_.look, .ask = {}});
        const auto watch = [&](std::size_t done) {
            if (progress_ != nullptr) progress_->looking_at_images(done, images.total());
            if (stop_ != nullptr && *stop_)
                throw Error(fmt::format("stopped while looking at pictures; {}",
                                        images.keeps() ? "what was seen so far is kept for the next time"
                                                       : "nothing of what was seen is kept"));
        };
        ExampleSet set = read_labelled_examples(images, loaded_.program, loaded_.pool, task_.positive, watch);
        for (const std::string& left_out : images.notes()) warn(left_out);
        if (images.all_unreadable()) throw LearnError("none of the pictures could be read");
        return set;
    }

    const LearningTask& task_;
    Diagnostics& diagnostics_;
    LearnProgress* progress_;
    const std::atomic<bool>* stop_;
    LoadedTask loaded_;
};

}  // namespace

LoadedTask read_program_task(const LearningTask& task, Diagnostics& diagnostics, LearnProgress* progress,
                             const std::atomic<bool>* stop) {
    return ProgramTaskReader(task, diagnostics, progress, stop).read();
}

}  // namespace neumann
