#include "learn/task/options.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "reason/engines.h"

namespace neumann {
namespace {

// Fields are named by structured bindings, which the compiler only accepts if they are all there: an option that is
// added and left out here is an error, not a journal that is resumed with other options.
class Description {
public:
    template <class Value>
    void add(std::string_view name, const Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            fmt::format_to(std::back_inserter(text), "{} {}\n", name, static_cast<int>(value));
        } else {
            fmt::format_to(std::back_inserter(text), "{} {}\n", name, value);
        }
    }
    template <class Value>
    void add(std::string_view name, const std::optional<Value>& value) {
        if (value) {
            add(name, *value);
        } else {
            fmt::format_to(std::back_inserter(text), "{} none\n", name);
        }
    }

    void add(const SearchBounds& options) {
        const auto& [max_body, max_variables, max_depth] = options;
        add("max_body", max_body);
        add("max_variables", max_variables);
        add("max_depth", max_depth);
    }

    void add(const SearchOptions& options) {
        const auto& [kind, trials, more_trials, samples, reserves, with_replacement, beta, uniform_weight,
                     negative_rounds, cyclic_steps, positives_to_balance, precise_below, alike_within, singles_to_check,
                     contexts_to_try, context_precision, times_wider, most_pairs, small_program, bounds, min_body] =
            options;
        add("search", kind);
        add("trials", trials);
        add("more_trials", more_trials);
        add("samples", samples);
        add("reserves", reserves);
        add("with_replacement", with_replacement);
        add("beta", beta);
        add("uniform_weight", uniform_weight);
        add("negative_rounds", negative_rounds);
        add("search_cyclic_steps", cyclic_steps);
        add("positives_to_balance", positives_to_balance);
        add("precise_below", precise_below);
        add("alike_within", alike_within);
        add("singles_to_check", singles_to_check);
        add("contexts_to_try", contexts_to_try);
        add("context_precision", context_precision);
        add("times_wider", times_wider);
        add("most_pairs", most_pairs);
        add("small_program", small_program);
        add(bounds);
        add("min_body", min_body);
    }

    void add(const OptimiserOptions& options) {
        const auto& [kind, rate, decay, beta1, beta2, epsilon] = options;
        add("optimiser", kind);
        add("rate", rate);
        add("decay", decay);
        add("beta1", beta1);
        add("beta2", beta2);
        add("epsilon", epsilon);
    }

    void add(const WeightOptions& options) {
        const auto& [epochs, batch, optimiser, patience, least_improvement, restarts, cyclic_steps, initial_spread,
                     loss_floor] = options;
        add("epochs", epochs);
        add("batch", batch);
        add(optimiser);
        add("patience", patience);
        add("least_improvement", least_improvement);
        add("restarts", restarts);
        add("weights_cyclic_steps", cyclic_steps);
        add("initial_spread", initial_spread);
        add("loss_floor", loss_floor);
    }

    // Threads, instructions and memory do not change the results.
    void add(std::string_view which, const ReasonOptions& options) {
        add(fmt::format("{}_semantics", which), info(options.semantics).name);
        add(fmt::format("{}_gamma", which), options.gamma);
        add(fmt::format("{}_steps", which), options.steps);
        if (find_engine(options.engine) != all_engines().front())
            add(fmt::format("{}_engine", which), options.engine);  // rounds in its own way
    }

    // Nor does the time after which the search is stopped: the run goes on with another limit.
    void add(const LearnerOptions& options) {
        const auto& [algorithm, seed, search, weights, program_size, simplify, enough, complete_depth, most_judged,
                     search_work, score, parts, prefer, search_seconds, learning, reasoning] = options;
        add("algorithm", algorithm);
        add("seed", seed);
        add(search);
        add(weights);
        add("program_size", program_size);
        add("simplify", simplify);
        add("enough", enough);
        add("complete_depth", complete_depth);
        add("most_judged", most_judged);
        add("search_work", search_work);
        add("score", score);
        add("parts", parts);
        add("prefer", prefer);
        add("learning", learning);
        add("reasoning", reasoning);
    }

    std::string text;
};

}  // namespace

std::span<const std::string_view> score_names() {
    static constexpr std::array<std::string_view, 5> names = {"literals", "training", "mdl", "mml", "f1"};
    return names;
}

std::optional<ScoreKind> find_score(std::string_view name) {
    const std::span<const std::string_view> names = score_names();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<ScoreKind>(found - names.begin());
}

std::string describe(const LearnerOptions& options) {
    Description description;
    description.add(options);
    return std::move(description.text);
}

}  // namespace neumann
