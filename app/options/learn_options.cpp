#include "options/learn_options.h"

#include <fmt/format.h>

#include "cli/files.h"
#include "command.h"
#include "options/seed_option.h"
#include "options/threads_option.h"

namespace neumann::app {

void LearnSettings::add_task(CLI::App& app, LearnGoal goal, const char* program, const char* train, const char* seed) {
    command = &app;
    task.goal = goal;
    app.add_option("program", task.program, program)->type_name("PROGRAM")->required();
    app.add_option("--train", task.train, train)->type_name("FILE|DIR")->group(learn_from_group);
    app.add_option("--test", task.test, "test examples, only for the final scores")
        ->type_name("FILE|DIR")
        ->group(learn_from_group);
    add_seed_option(app, options.seed, seed);
    app.get_option("--seed")->group(limits_group);
}

void LearnSettings::add_output(CLI::App& app, const char* output_help) {
    app.add_option("-o,--out", output, output_help)->type_name("FILE")->group(output_group);
    app.add_flag("--json", json, "one JSON object instead of text")->group(output_group);
    app.add_flag("-q,--quiet", quiet, "no progress on standard error")->group(output_group);
    app.add_option("--time-limit", options.time_limit, "stop after this time with the best result so far")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9).description(""))
        ->group(limits_group);
    add_threads_option(app, task.reading.threads)->group(limits_group);
    for (const CLI::Option* option : limits.add_to(app)) app.get_option(option->get_name())->group(limits_group);
    reading.add_to(app);
}

void LearnSettings::read() {
    reading.require_fitting(task.program);
    reading.put_into(task.reading);
    limits.put_into(task.reading);
    // A file that cannot be written is an error now, not after an hour.
    if (!output.empty()) AtomicFile probe{std::filesystem::path(output)};
}

void DescentOptions::add_to(CLI::App& command, ParameterSearch& search) {
    rate = add_number(command, "Optimisation", "--lr", search.optimiser.rate, "learning rate", 0.0, 1e6);
    optimiser_option = command.add_option("--optimiser", optimiser, "method of gradient descent")
                           ->check(CLI::IsMember({"rmsprop", "adam", "sgd"}))
                           ->capture_default_str()
                           ->group("Optimisation");
    add_number(command, "Optimisation", "--iterations", search.iterations, "passes over the examples at most", 0,
               100000000);
    add_number(command, "Optimisation", "--tolerance", search.tolerance,
               "stop when an iteration gains less than this for an example, on average", 0.0, 1e6);
}

void DescentOptions::put_into(ParameterSearch& search) const {
    if (optimiser_option->count() > 0) search.optimiser.kind = *find_optimiser(optimiser);
}

void refuse_with(const CLI::App& command, const std::string& with, const std::vector<const char*>& options) {
    for (const char* name : options) {
        const CLI::Option* const option = command.get_option_no_throw(name);
        if (option != nullptr && option->count() > 0)
            throw UsageError(fmt::format("{} does nothing with {}", name, with));
    }
}

}  // namespace neumann::app
