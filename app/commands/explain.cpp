// neumann explain: the reasons for an atom's value, near misses, and heat maps of images.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <neumann/session.h>

#include "cli/text.h"
#include "command.h"
#include "options/example_options.h"
#include "options/own_command_line.h"
#include "options/reasoning_options.h"
#include "print/explain_output.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

constexpr const char* explain_examples = R"help(Examples:
  neumann explain family.nm --atom "ancestor(ann,dan)"         proof and causes, in words
  neumann explain wet.nm --atom wet --proofs 3 --svg proof.svg
  neumann explain scenes.nm --examples scenes.jsonl --example 17 --atom "kp(img)"
  neumann explain scenes.nm --images scene.png --atom "kp(img)" --heat-map where.png --html report.html
  neumann explain questions.nm --images view.png --ask "query3(q,q_delete,gray,2nd)" --atom "answer(X)"
  neumann explain scenes.nm --examples scenes.jsonl --json > why.jsonl     one line for each
  neumann explain family.nm --atom "ancestor(dan,ann)"         why not: the missing facts
  neumann explain wet.nm --atom wet --leave-one-out            test the shares of its causes

An atom with variables stands for the most probable one that matches it. A value below the threshold is told why not.
docs/explanations.md explains each number.)help";

// The data common to all explanations, and the request for each example.
struct ExplainCommand {
    ExplainSessionOptions session;
    ReadingOptions reading;
    GroundingOptions grounding;
    ExplainOutputOptions output;
    ReasoningOptions reasoning;
    std::string path;
    ExampleOptions given;
    std::string example;
    std::optional<std::uint64_t> limit;
    bool why_not = false;
    bool no_why_not = false;
    bool no_words = false;

    void run();

private:
    void check_options();
    Model compile(const ModelRequest& request) const;
    bool is_wanted(const Example& one) const;
    void explain_all(ExplainSession& base, ExampleSource& source);
    void explain_own_facts(ExplainSession& base);

    std::unique_ptr<ExplainOutput> shown_;
    std::uint64_t done_ = 0;
};

void ExplainCommand::check_options() {
    reasoning.settle_semantics(path);
    session.reason = reasoning.resolve(path, grounding);
    session.reason.engine = engine_on(given.pictures.device.device, !given.images.empty());
    session.full_if_needed = !grounding.mode_given();
    output.require_names();
    output.program = path;
    output.command = own_command_line();
    output.text.words = !no_words;
    session.history = !output.html.empty();
    session.in_pictures = !given.images.empty();
    if (why_not && no_why_not) throw UsageError("--why-not and --no-why-not: one of them");
    session.why_not = why_not      ? ExplainSessionOptions::WhyNot::Always
                      : no_why_not ? ExplainSessionOptions::WhyNot::Never
                                   : ExplainSessionOptions::WhyNot::WhenFalse;
    if (!(session.threshold >= 0 && session.threshold <= 1))
        throw UsageError(fmt::format("--threshold: expected a number from 0 to 1, not {}", session.threshold));
    given.check("--atom is what to explain");
    if (given.images.empty() && !output.heat_map.empty())
        throw UsageError("--heat-map is drawn over pictures: it goes with --images");
    if (!given.many() && !example.empty())
        throw UsageError("--example chooses one of many: it goes with --examples or --images");
    given.pictures.device.threads = grounding.threads;
}

// By its name, with or without the quotes of JSON, or by its line where it has none.
bool ExplainCommand::is_wanted(const Example& one) const {
    return example.empty() || one.id == example || one.id == fmt::format("\"{}\"", example) ||
           (!given.images.empty() && one.id.ends_with(fmt::format("/{}\"", example)));
}

Model ExplainCommand::compile(const ModelRequest& request) const {
    ReadingOptions how = reading;
    // The first compilation has printed the warnings; and the explanation covers atoms without derivations.
    how.no_warn.emplace_back(!request.inputs.empty() || request.all_atoms ? "all" : "no-match");
    GroundingOptions ground = grounding;
    ground.inputs = request.inputs;
    if (!Model::is_saved(path)) ground.queries = session.atoms;
    ground.queries_from = "--atom";
    if (request.all_atoms) {
        fmt::print(stderr, "note: nothing that is given leads to it; looking among all ground atoms (--mode full)\n");
        ground.mode = Grounding::Full;
    }
    return open_model(path, how, ground);
}

void ExplainCommand::explain_all(ExplainSession& base, ExampleSource& source) {
    const auto wanted = [this](const Example& one) {
        if (!is_wanted(one) || (limit && done_ >= *limit)) return false;
        ++done_;
        return true;
    };
    const auto take = [this](const Example& one, Explanation explanation) { shown_->add(std::move(explanation), one); };
    const auto more = [this] { return !(limit && done_ >= *limit) && !(!example.empty() && done_ > 0); };
    ProgressMeter meter;
    const StreamSummary summary =
        base.run(source, {.batch = given.batch, .doing = "explaining", .progress = meter.function()},
                 {.wanted = wanted, .take = take, .more = more});
    meter.finish();
    if (done_ == 0 && example.empty() && source.total() == 0)
        fmt::print(stderr, "note: there was nothing to explain: {} has no examples\n", given.examples);
    if (done_ == 0 && !example.empty())
        throw UsageError(fmt::format("--example: there is no example '{}'; one is called by its \"id\", or by its line"
                                     " where it has none",
                                     example));
    if (summary.complete && !output.json)
        fmt::print("\n{} explained in {:.2f} s; {}\n", counted(done_, "example"), summary.seconds,
                   reasoning.description());
    finish_examples(source);
}

void ExplainCommand::explain_own_facts(ExplainSession& base) {
    bool false_one = false;
    base.run_own_facts([&](Explanation one) {
        false_one = false_one || one.value == 0;
        shown_->add(std::move(one), {});
    });
    if (false_one && std::ranges::any_of(base.model().sizes().predicates, &ModelSizes::Predicate::neural))
        fmt::print(stderr, "note: without --examples and --images all that perception would say is 0\n");
}

void ExplainCommand::run() {
    check_options();
    ExplainSession base([this](const ModelRequest& request) { return compile(request); }, session);
    shown_ = std::make_unique<ExplainOutput>(output);
    if (!output.html.empty()) shown_->set_sources(base.sources());
    if (const std::unique_ptr<ExampleSource> source = given.open(base.model(), output.needs_pictures())) {
        explain_all(base, *source);
    } else {
        explain_own_facts(base);
    }
    shown_->finish();
}

}  // namespace

void add_explain_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("explain", "explain the value of an atom: proofs, gradients, heat maps");
    const auto options = std::make_shared<ExplainCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    command
        ->add_option("--atom", options->session.atoms,
                     "the atom to explain; with variables: its best match; repeatable; default: the program's queries")
        ->type_name("ATOM")
        ->allow_extra_args(false);
    options->given.add_to(*command);
    command->add_option("--example", options->example, "only the example with this id")->type_name("ID");
    command->add_option("--limit", options->limit, "at most this many examples")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000000));
    command->add_option("--answers", options->session.answers, "matches to explain of an atom with variables")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->default_str("1");
    command->add_option("--proofs", options->session.proofs, "number of derivations, the best first")
        ->type_name("K")
        ->check(CLI::Range(1, 100))
        ->default_str("1");
    command->add_flag("--why-not", options->why_not, "list the missing facts even where the atom holds");
    command->add_flag("--no-why-not", options->no_why_not, "never list missing facts");
    command->add_option("--near", options->session.near, "number of derivations that nearly hold")
        ->type_name("K")
        ->check(CLI::Range(1, 100))
        ->default_str("3");
    command
        ->add_option("--trust", options->session.trusted,
                     "inputs of this predicate (color/2) are no causes; repeatable; questions never are")
        ->type_name("NAME/N")
        ->allow_extra_args(false);
    command->add_option("--threshold", options->session.threshold, "an atom counts as true from this value upwards")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->capture_default_str();
    command->add_flag("--leave-one-out", options->session.leave_one_out,
                      "reason again without each clause and input of the proofs");
    command->add_flag("--json", options->output.json, "one JSON object per explanation");
    command->add_flag("--no-words", options->no_words, "no sentences");
    command->add_option("--top", options->output.text.top, "number of inputs and clauses in the lists")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000))
        ->default_str("10");
    command->add_option("--html", options->output.html, "write a page for the browser; it needs no network")
        ->type_name("FILE.html");
    command->add_option("--svg", options->output.svg, "draw the proofs")->type_name("FILE.svg");
    command->add_option("--dot", options->output.dot, "write the proofs for Graphviz")->type_name("FILE.dot");
    command
        ->add_option("--heat-map", options->output.heat_map,
                     "write images beside heat maps of the relevant objects: a file, or a folder for many")
        ->type_name("FILE.png|FOLDER");
    options->reasoning.add_to(*command);
    options->given.pictures.add_to(*command, "Images", "--picture-batch");
    options->grounding.add_to(*command, true);
    command->remove_option(command->get_option("--query"));  // --atom selects the atoms
    options->reading.add_to(*command);
    command->footer(explain_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
