#include "options/reasoning_options.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <neumann/convert.h>

#include "cli/text.h"
#include "command.h"

namespace neumann::app {
namespace {

[[noreturn]] void fail_unknown(std::string_view option, const std::string& name,
                               const std::vector<std::string>& known) {
    throw UsageError(fmt::format("{}: there is no '{}'; {}", option, name, did_you_mean_or_list(name, known)));
}

}  // namespace

std::vector<std::string> semantics_names(bool for_learning) {
    std::vector<std::string> names;
    for (const SemanticsSummary& one : known_semantics())
        if (one.for_learning || !for_learning) names.emplace_back(one.name);
    return names;
}

void ReasoningOptions::add_to(CLI::App& command) {
    std::vector<std::string> each;
    for (const SemanticsSummary& one : known_semantics()) each.push_back(fmt::format("{}: {}", one.name, one.summary));
    semantics_option_ =
        command.add_option("--semantics", semantics, fmt::format("meaning of AND and OR\n{}", fmt::join(each, "\n")))
            ->type_name("NAME")
            ->default_str(fmt::format("{}, {} for ProbLog's .pl", default_semantics_name, exact_semantics_name));
    command.add_option("--gamma", gamma, "temperature of the soft-or")->type_name("G")->default_str("0.01");
    command.add_option("--steps", steps, "number of steps, or auto: as many as the program needs")
        ->type_name("N|auto")
        ->default_str("auto");
    command.add_option("--kernel", kernel, "avx512, avx2, baseline or scalar; default: the fastest here")
        ->type_name("NAME");
}

void ReasoningOptions::settle_semantics(const std::filesystem::path& program) {
    const bool said = semantics_option_ != nullptr && semantics_option_->count() > 0;
    if (const std::string& own = language_of(program).default_semantics; !said && !own.empty()) semantics = own;
}

ReasonerOptions ReasoningOptions::resolve(const std::filesystem::path& program, GroundingOptions& grounding) const {
    const SemanticsSummary* const found = find_known_semantics(semantics);
    if (found == nullptr) fail_unknown("--semantics", semantics, semantics_names(false));
    ReasonerOptions result;
    result.semantics = semantics;
    result.gamma = gamma;
    result.steps = parse_steps(steps);
    result.kernel = kernel;
    result.threads = grounding.threads;
    // The values for a backward pass may take a quarter of the limit; the rest is for the graph and the values.
    result.memory_limit = grounding.limits.memory_limit;
    if (result.memory_limit != 0) result.memory_budget = std::min(result.memory_budget, result.memory_limit / 4);
    const std::vector<std::string> kernels = known_kernels();
    if (!kernel.empty() && std::ranges::find(kernels, kernel) == kernels.end())
        fail_unknown("--kernel", kernel, kernels);
    if (!(gamma >= least_gamma && gamma <= largest_gamma))
        throw UsageError(
            fmt::format("--gamma: expected a number from {} to {}, not {}", least_gamma, largest_gamma, gamma));
    if (found->needs_steps && !result.steps)
        throw UsageError(fmt::format("--semantics {} needs --steps N: under it values creep up with every step, so"
                                     " there is no number that is enough",
                                     semantics));
    if (found->keeps_zero || Model::is_saved(program)) return result;
    if (!grounding.mode_given()) {
        grounding.mode = Grounding::Full;
    } else if (grounding.mode == Grounding::Relevant) {
        fmt::print(stderr,
                   "warning: under the semantics {} atoms that cannot be derived creep up from 0, and --mode relevant"
                   " leaves them out: results differ from --mode full\n",
                   semantics);
    }
    return result;
}

std::string ReasoningOptions::description() const {
    return fmt::format("{} semantics{}", semantics,
                       semantics_summary(semantics).uses_gamma ? fmt::format(", gamma {}", gamma) : "");
}

}  // namespace neumann::app
