#include <fmt/format.h>

#include <neumann/learn_output.h>
#include <neumann/text.h>

namespace neumann {

std::string result_text(const ParameterResult& result, const LearnOrigin& origin) {
    Table table({{"probability of", Table::Align::Left}, {"line"}, {"before"}, {"learned"}, {"chosen"}, {"of"}});
    bool unknown = false;
    for (const LearnedParameter& one : result.parameters) {
        table.add_row({one.clause, std::to_string(one.line), fmt::format("{:.4f}", one.start),
                       fmt::format("{:.4f}", one.value), fmt::format("{:.1f}", one.chosen),
                       fmt::format("{:.1f}", one.decided)});
        unknown = unknown || one.decided == 0;
    }
    std::string text = table.text() + "\n";
    text += fmt::format("log-likelihood {:.6f}, before {:.6f}: {}, {} different, {}\n", result.log_likelihood,
                        result.start_log_likelihood, counted(result.examples, "example"), result.different_examples,
                        counted(result.iterations, "iteration"));
    if (result.test_log_likelihood)
        text += fmt::format("test           {:.6f}: {}\n", *result.test_log_likelihood,
                            counted(result.test_examples, "example"));
    if (!result.test_impossible.empty())
        text += fmt::format("test           {} has probability 0 with what was learned\n", result.test_impossible);
    if (unknown) text += "what was chosen of 0 is as before: no example depends on it\n";
    if (result.interrupted)
        text += fmt::format("stopped{}: the best so far; learning goes on from the program that --out writes\n",
                            origin.timed_out ? " by the time limit" : "");
    else if (!result.converged)
        text += "not settled yet: allow more --iterations\n";
    return text;
}

std::string program_text(const ParameterResult& result, const LearnOrigin& origin) {
    return fmt::format("% {} with probabilities learned from {}, seed {}.\n% log-likelihood: {}\n\n{}",
                       origin.program_file, counted(result.examples, "example"), origin.seed, result.log_likelihood,
                       result.program);
}

}  // namespace neumann
