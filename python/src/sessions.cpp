// Long work on examples: reasoning, explaining, learning.
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core.h"
#include "interruptible.h"

namespace neumann::python {
namespace {

// Programs are compiled again for the inputs of examples, without the GIL.
ModelMaker maker_of(const Source& source, ModelOptions options) {
    return [source, options = std::move(options)](const ModelRequest& request) {
        ModelOptions how = options;
        how.inputs.insert(how.inputs.end(), request.inputs.begin(), request.inputs.end());
        if (request.all_atoms) how.grounding = Grounding::Full;
        how.no_warnings = {"all"};
        return source.compile(how);
    };
}

struct Answered {
    std::string id;  // as JSON text
    std::vector<std::pair<std::string, double>> values;
    std::vector<std::vector<double>> history;  // of these, step by step
    std::uint32_t steps = 0;
};

void add_answers(const Session& session, bool history, std::vector<Answered>& to) {
    for (std::size_t e = 0; e < session.examples(); ++e) {
        Answered& one = to.emplace_back();
        one.id = session.example(e).id;
        one.steps = session.steps(e);
        for (std::size_t a = 0; a < session.answers().size(); ++a)
            one.values.emplace_back(session.answers()[a].text, session.value(a, e));
        if (history) one.history = session.history(e, session.answers());
    }
}

// One for each example of the text; without a text one for the program as it stands.
std::vector<Answered> reason(const Source& source, const std::optional<std::string>& examples,
                             const std::vector<std::string>& queries, const std::vector<double>& weights, bool history,
                             const py::dict& model, const py::dict& reasoner, std::size_t batch) {
    ModelOptions compiling = model_options(model);
    compiling.queries = queries;
    const SessionOptions options{
        .reason = reasoner_options(reasoner), .queries = queries, .weights = weights, .history = history};
    return interruptible([&] {
        Session session(maker_of(source, compiling), options);
        std::vector<Answered> answers;
        if (!examples) {
            session.run_own_facts();
            add_answers(session, history, answers);
            return answers;
        }
        const std::unique_ptr<ExampleSource> from = read_examples(*examples);
        session.run(*from, {.batch = batch}, [&](Session& with) {
            add_answers(with, history, answers);
            return true;
        });
        return answers;
    });
}

ExplainSessionOptions explain_options(const std::vector<std::string>& atoms, const py::dict& given) {
    py::dict left = given.attr("copy")();
    ExplainSessionOptions options;
    options.atoms = atoms;
    take(left, "answers", options.answers);
    take(left, "proofs", options.proofs);
    take(left, "threshold", options.threshold);
    take(left, "leave_one_out", options.leave_one_out);
    take(left, "history", options.history);
    take(left, "trusted", options.trusted);
    std::optional<bool> why_not;
    take(left, "why_not", why_not);
    if (why_not)
        options.why_not = *why_not ? ExplainSessionOptions::WhyNot::Always : ExplainSessionOptions::WhyNot::Never;
    options.reason = reasoner_options(left);
    return options;
}

std::vector<std::shared_ptr<Explanation>> explain(const Source& source, const std::vector<std::string>& atoms,
                                                  const std::optional<std::string>& examples, const py::dict& model,
                                                  const py::dict& given) {
    ModelOptions compiling = model_options(model);
    compiling.queries = atoms;
    const ExplainSessionOptions options = explain_options(atoms, given);
    return interruptible([&] {
        ExplainSession session(maker_of(source, compiling), options);
        std::vector<std::shared_ptr<Explanation>> found;
        const auto take_one = [&](Explanation one) { found.push_back(std::make_shared<Explanation>(std::move(one))); };
        if (!examples) {
            session.run_own_facts(take_one);
            return found;
        }
        const std::unique_ptr<ExampleSource> from = read_examples(*examples);
        session.run(*from, {}, {.take = [&](const Example&, Explanation one) { take_one(std::move(one)); }});
        return found;
    });
}

// Reports the progress of learning to a Python function. An exception of the function stops learning, and is thrown
// again by the caller.
class ToldInPython final : public LearnProgress {
public:
    ToldInPython(py::object told, std::atomic<bool>& stop) : told_(std::move(told)), stop_(stop) {}

    void message(const std::string& text) override {
        tell("warning", [&] { return py::dict(py::arg("text") = text); });
    }
    void note(const std::string& text) override {
        tell("note", [&] { return py::dict(py::arg("text") = text); });
    }
    void lesson_begins(std::size_t lesson, std::size_t lessons, const std::vector<std::string>& predicates) override {
        tell("lesson", [&] {
            return py::dict(py::arg("lesson") = lesson, py::arg("lessons") = lessons,
                            py::arg("predicates") = predicates);
        });
    }
    void round_done(const LearnRound& one) override {
        tell("round", [&] {
            return py::dict(py::arg("round") = one.round, py::arg("rounds") = one.rounds,
                            py::arg("clauses") = one.clauses, py::arg("best") = one.best, py::arg("loss") = one.loss,
                            py::arg("seconds") = one.seconds);
        });
    }
    void epoch_done(const LearnEpoch& one) override {
        tell("epoch", [&] {
            return py::dict(py::arg("epoch") = one.epoch, py::arg("epochs") = one.epochs,
                            py::arg("train_loss") = one.train_loss, py::arg("validation_loss") = one.validation_loss,
                            py::arg("validation_accuracy") = one.validation_accuracy, py::arg("seconds") = one.seconds);
        });
    }
    void program_found(std::size_t clauses, std::uint64_t wrong, const std::string& first) override {
        tell("program", [&] {
            return py::dict(py::arg("clauses") = clauses, py::arg("wrong_labels") = wrong, py::arg("first") = first);
        });
    }
    void iteration_done(std::uint32_t iteration, double objective) override {
        tell("iteration", [&] { return py::dict(py::arg("iteration") = iteration, py::arg("objective") = objective); });
    }
    std::exception_ptr thrown() const { return thrown_; }

private:
    template <class Details>
    void tell(const char* event, Details&& details) {
        if (told_.is_none() || thrown_) return;
        const py::gil_scoped_acquire acquire;
        try {
            told_(event, details());
        } catch (...) {
            thrown_ = std::current_exception();
            stop_ = true;
        }
    }

    py::object told_;
    std::atomic<bool>& stop_;
    std::exception_ptr thrown_;
};

LearnGoal goal_of(const std::string& name) {
    if (name == "clauses") return LearnGoal::Clauses;
    if (name == "weights") return LearnGoal::Weights;
    if (name == "probabilities") return LearnGoal::Probabilities;
    throw py::value_error(fmt::format("goal: '{}' is none of clauses, weights, probabilities", name));
}

TaskFormat format_of(const std::string& name) {
    if (name == "program") return TaskFormat::Program;
    if (name == "popper") return TaskFormat::Popper;
    if (name == "aleph") return TaskFormat::Aleph;
    throw py::value_error(fmt::format("format: '{}' is none of program, popper, aleph", name));
}

std::pair<LearningTask, LearnOptions> learn_options(const std::string& program, const py::dict& given,
                                                    const py::dict& model) {
    py::dict left = given.attr("copy")();
    LearningTask task;
    task.program = program;
    LearnOptions options;
    std::string goal = "clauses";
    std::string format = "program";
    take(left, "goal", goal);
    take(left, "format", format);
    task.goal = goal_of(goal);
    task.format = format_of(format);
    take(left, "train", task.train);
    take(left, "validation", task.validation);
    take(left, "test", task.test);
    take(left, "positive", task.positive);
    take(left, "seed", options.seed);
    take(left, "time_limit", options.time_limit);
    take(left, "work_limit", options.work_limit);
    take(left, "algorithm", options.algorithm);
    if (find_algorithm(options.algorithm) == nullptr)
        throw py::value_error(fmt::format("algorithm: '{}' is none of those there are", options.algorithm));
    std::string score{score_names()[0]};
    take(left, "score", score);
    if (!find_score(score)) throw py::value_error(fmt::format("score: '{}' is none of those there are", score));
    options.score = *find_score(score);
    take(left, "parts", options.parts);
    take(left, "prefer", options.prefer);
    take(left, "program_size", options.program_size);
    take(left, "simplify", options.simplify);
    take(left, "semantics", options.semantics);
    take(left, "learning_semantics", options.learning_semantics);
    take(left, "gamma", options.gamma);
    take(left, "steps", options.steps);
    take(left, "threshold", options.threshold);
    take(left, "trials", options.search.trials);
    take(left, "samples", options.search.samples);
    take(left, "max_body", options.search.bounds.max_body);
    take(left, "max_variables", options.search.bounds.max_variables);
    take(left, "epochs", options.weights.epochs);
    take(left, "batch", options.weights.batch);
    take(left, "rate",
         task.goal == LearnGoal::Clauses ? options.weights.optimiser.rate : options.parameters.optimiser.rate);
    take(left, "iterations", options.parameters.iterations);
    take(left, "tolerance", options.parameters.tolerance);
    std::string loss = "cross-entropy";
    take(left, "loss", loss);
    if (loss != "cross-entropy" && loss != "squared")
        throw py::value_error(fmt::format("loss: '{}' is none of cross-entropy, squared", loss));
    options.loss = loss == "squared" ? WeightLossKind::Squared : WeightLossKind::CrossEntropy;
    std::string method = "em";
    take(left, "method", method);
    if (method != "em" && method != "gradient")
        throw py::value_error(fmt::format("method: '{}' is none of em, gradient", method));
    options.parameters.method = method == "em" ? ParameterMethod::Em : ParameterMethod::Gradient;
    std::string journal;
    take(left, "journal", journal);
    options.journal = journal;
    take(left, "resume", options.resume);
    require_taken(left);
    task.reading = model_options(model);
    return {std::move(task), std::move(options)};
}

// Learns in a thread of its own while this one watches for signals. The second of the pair: one was caught, and the
// result is the best so far.
std::pair<LearnResult, bool> learn_watched(const std::string& program, const py::dict& given, const py::dict& model,
                                           const py::object& told) {
    const auto [task, options] = learn_options(program, given, model);
    std::atomic<bool> stop{false};
    ToldInPython progress(told, stop);
    bool interrupted = false;
    std::string stopped_before;  // there was a result
    LearnResult result;
    {
        const py::gil_scoped_release release;
        std::future<LearnResult> learning = std::async(std::launch::async, [&, &task = task, &options = options] {
            return learn(task, options, &progress, &stop);
        });
        while (learning.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            if (interrupted) continue;
            const py::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() == 0) continue;
            PyErr_Clear();
            interrupted = stop = true;
        }
        try {
            result = learning.get();
        } catch (const Error& error) {  // such as that there is no result yet
            if (!interrupted) throw;
            stopped_before = error.what();
        }
    }
    if (!stopped_before.empty()) {
        PyErr_SetString(PyExc_KeyboardInterrupt, stopped_before.c_str());
        throw py::error_already_set();
    }
    if (!interrupted && PyErr_CheckSignals() != 0) {  // it came while the last of the work was done
        PyErr_Clear();
        interrupted = true;
    }
    if (progress.thrown()) std::rethrow_exception(progress.thrown());
    return {std::move(result), interrupted};
}

std::string clause_text(const LearnedClause& one) { return fmt::format("{:g}::{}", one.weight, one.text); }

void add_learning(py::module_& module) {
    py::class_<LearnedClause>(module, "LearnedClause")
        .def_readonly("text", &LearnedClause::text)
        .def_readonly("weight", &LearnedClause::weight)
        .def_readonly("start", &LearnedClause::start)
        .def_readonly("line", &LearnedClause::line)
        .def_readonly("predicate", &LearnedClause::predicate)
        .def("__repr__", &clause_text);
    const auto accuracy = [](const std::optional<LearnScore>& score) {
        return score ? std::optional(score->accuracy) : std::nullopt;
    };
    py::class_<LearnResult>(
        module, "LearnResult",
        "The learned clauses (or those whose numbers were learned), the whole program with them as text, and\n"
        "scores. Of clauses: accuracies, `wrong_labels`, `right`, `shortest`, `algorithm`; of weights:\n"
        "`train_loss`; of probabilities: `log_likelihood`.")
        .def_readonly("clauses", &LearnResult::clauses)
        .def_readonly("program", &LearnResult::program)
        .def_readonly("algorithm", &LearnResult::algorithm)
        .def_property_readonly("train_accuracy", [](const LearnResult& one) { return one.train.accuracy; })
        .def_property_readonly("validation_accuracy",
                               [accuracy](const LearnResult& one) { return accuracy(one.validation); })
        .def_property_readonly("test_accuracy", [accuracy](const LearnResult& one) { return accuracy(one.test); })
        .def_property_readonly("train_loss", [](const LearnResult& one) { return one.train.loss; })
        .def_property_readonly("log_likelihood", [](const LearnResult& one) { return one.train.log_likelihood; })
        .def_property_readonly("shortest", [](const LearnResult& one) { return one.search.shortest; })
        .def_property_readonly("right", &LearnResult::is_right)
        .def_readonly("threshold", &LearnResult::threshold)
        .def_readonly("wrong_labels", &LearnResult::errors)
        .def_readonly("seconds", &LearnResult::seconds)
        .def_readonly("interrupted", &LearnResult::interrupted)
        .def("__repr__",
             [](const LearnResult& one) {
                 std::string text = fmt::format("<neumann.LearnResult: {}>", counted(one.clauses.size(), "clause"));
                 for (const LearnedClause& clause : one.clauses) text += "\n" + clause_text(clause);
                 return text;
             })
        .def("to_svg",
             [](const LearnResult& one, const std::string& title) { return learning_curves_svg(one, title); });
    module.def("learn", &learn_watched, py::arg("program"), py::arg("options"), py::arg("model"), py::arg("told"));
}

void add_explanations(py::module_& module) {
    py::class_<Explanation, std::shared_ptr<Explanation>>(module, "Explanation")
        .def_readonly("id", &Explanation::id)
        .def_readonly("atom", &Explanation::atom)
        .def_readonly("sentence", &Explanation::sentence)
        .def_readonly("value", &Explanation::value)
        .def_property_readonly("holds", &Explanation::holds)
        .def("text", [](const Explanation& one, bool words) { return to_text(one, {.words = words}); })
        .def("to_json", [](const Explanation& one) { return to_json(one); })
        .def("to_dot", [](const Explanation& one) { return to_dot(one); })
        .def("to_svg", [](const Explanation& one) { return to_svg(one); })
        .def("to_html", [](const Explanation& one, const std::string& program) {
            const ReportInput input{&one, {}, {}, program, {}};
            return to_html({&input, 1});
        });
    module.def("explain", &explain, py::arg("source"), py::arg("atoms"), py::arg("examples"), py::arg("model"),
               py::arg("options"));
}

void generate(const py::dict& given, const std::string& folder) {
    py::dict left = given.attr("copy")();
    GenerateOptions options;
    take(left, "name", options.name);
    take(left, "pattern", options.pattern);
    take(left, "seed", options.seed);
    take(left, "count", options.count);
    take(left, "splits", options.splits);
    take(left, "images", options.images);
    take(left, "width", options.width);
    take(left, "height", options.height);
    take(left, "noise", options.noise);
    take(left, "flip", options.flip);
    take(left, "borderline", options.borderline);
    take(left, "label_noise", options.label_noise);
    require_taken(left);
    options.for_training = options.images;
    const py::gil_scoped_release release;
    generate_dataset(options, folder);
}

}  // namespace

void add_sessions(py::module_& module) {
    py::class_<Answered>(module, "Answered")
        .def_readonly("id", &Answered::id)
        .def_readonly("values", &Answered::values)
        .def_readonly("history", &Answered::history)
        .def_readonly("steps", &Answered::steps);
    module.def("reason", &reason, py::arg("source"), py::arg("examples"), py::arg("queries"), py::arg("weights"),
               py::arg("history"), py::arg("model"), py::arg("reasoner"), py::arg("batch"));
    add_explanations(module);
    add_learning(module);
    module.def("generate", &generate, py::arg("options"), py::arg("folder"));
    module.def("datasets", [] {
        std::vector<std::pair<std::string, std::vector<std::string>>> all;
        for (const DatasetInfo& one : all_datasets())
            all.emplace_back(one.name, std::vector<std::string>(one.patterns.begin(), one.patterns.end()));
        return all;
    });
}

}  // namespace neumann::python
