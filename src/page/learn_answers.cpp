// Learning requests: progress is sent during the run, so that the page can draw it.
#include <neumann/learn.h>

#include "cli/learn_output.h"
#include "page/request.h"

namespace neumann {
namespace {

PageJson accuracy_or_null(const std::optional<LearnScore>& score) {
    return score ? PageJson(score->accuracy) : PageJson();
}

class ToldProgress : public LearnProgress {
public:
    explicit ToldProgress(const PageTell& tell) : tell_(tell) {}

    void message(const std::string& text) override { tell_({{"event", "message"}, {"text", text}}); }
    void note(const std::string& text) override { tell_({{"event", "message"}, {"text", text}}); }
    void lesson_begins(std::size_t lesson, std::size_t lessons, const std::vector<std::string>& predicates) override {
        tell_({{"event", "lesson"}, {"lesson", lesson}, {"lessons", lessons}, {"predicates", predicates}});
    }
    void round_done(const LearnRound& round) override {
        PageJson best = PageJson::array();
        for (const auto& [clause, score] : round.best) best.push_back({{"clause", clause}, {"score", score}});
        tell_({{"event", "round"},
               {"round", round.round},
               {"rounds", round.rounds},
               {"clauses", round.clauses},
               {"loss", round.loss},
               {"best", best}});
    }
    void epoch_done(const LearnEpoch& epoch) override {
        tell_({{"event", "epoch"},
               {"epoch", epoch.epoch},
               {"epochs", epoch.epochs},
               {"restart", epoch.restart},
               {"train_loss", epoch.train_loss},
               {"validation_loss", epoch.validation_loss},
               {"validation_accuracy", epoch.validation_accuracy}});
    }
    void program_found(std::size_t clauses, std::uint64_t wrong_labels, const std::string& first) override {
        tell_({{"event", "program"}, {"clauses", clauses}, {"wrong", wrong_labels}, {"first", first}});
    }
    void iteration_done(std::uint32_t iteration, double log_likelihood) override {
        tell_({{"event", "iteration"}, {"iteration", iteration}, {"log_likelihood", log_likelihood}});
    }

private:
    const PageTell& tell_;
};

// The name of a file with this text of the request, or empty.
std::string put_examples(const PageRequest& request, const char* field) {
    if (!request.has(field)) return {};
    std::string name = std::string(field) + ".jsonl";
    request.put_file(name, request.text(field));
    return name;
}

}  // namespace

PageJson answer_learn(const PageRequest& request, const PageTell& tell) {
    LearningTask task;
    task.program = request.put_program();
    task.train = put_examples(request, "train");
    task.validation = put_examples(request, "validation");
    task.test = put_examples(request, "test");
    if (request.has("positive")) task.positive = request.number_or<std::int64_t>("positive", 1);
    LearnOptions options;
    options.seed = request.number_or("seed", options.seed);
    if (request.has("algorithm")) {
        options.algorithm = request.text("algorithm");
        if (find_algorithm(options.algorithm) == nullptr)
            throw Error("error: there is no algorithm '" + options.algorithm + "'");
    }
    ToldProgress progress(tell);
    const LearnResult learned = learn(task, options, &progress);
    PageJson result = {{"clauses", PageJson::array()},
                       {"program", learned.program},
                       {"train_accuracy", learned.train.accuracy},
                       {"validation_accuracy", accuracy_or_null(learned.validation)},
                       {"test_accuracy", accuracy_or_null(learned.test)},
                       {"threshold", learned.threshold},
                       {"wrong", learned.errors},
                       {"clauses_scored", learned.search.candidates},
                       {"seconds", learned.seconds},
                       {"limits", PageJson::array()},
                       {"curves", learning_curves_svg(learned, "learning")}};
    for (const LearnedClause& clause : learned.clauses)
        result["clauses"].push_back({{"text", clause.text}, {"weight", clause.weight}});
    for (const LearnLimit& limit : learned.limits)
        result["limits"].push_back(
            {{"what", limit.what}, {"advice", limit.advice}, {"clause", limit.clause}, {"accuracy", limit.accuracy}});
    return result;
}

PageJson answer_learn_parameters(const PageRequest& request, const PageTell& tell) {
    LearningTask task;
    task.program = request.put_program();
    task.goal = LearnGoal::Probabilities;
    task.train = put_examples(request, "train");
    task.test = put_examples(request, "test");
    LearnOptions options;
    options.seed = request.number_or("seed", options.seed);
    ToldProgress progress(tell);
    const LearnResult learned = learn(task, options, &progress);
    PageJson result = PageJson::parse(result_json(learned, {task.program.string(), options.seed}));
    result["learned_program"] = learned.program;
    return result;
}

}  // namespace neumann
