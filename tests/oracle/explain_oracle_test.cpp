// What an explanation says against what is so, on random programs: gradients against finite differences in double
// precision, substitutions read back through the program's own reader, repairs and omissions carried out anew.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/every_semantics.h"
#include "oracle/explain_trial.h"
#include "reason/reference/reference.h"

namespace neumann::oracle {
namespace {

class ExplainOracle : public testing::TestWithParam<Semantics> {};
INSTANTIATE_TEST_SUITE_P(Every, ExplainOracle, every_semantics(), semantics_name);

// Where the two one-sided differences agree there is a derivative, and it is this.
class FiniteDifference {
public:
    FiniteDifference(const Trial& trial, std::uint32_t atom)
        : trial_(trial), atom_(atom), run_(trial.reference().forward(trial.weights(), trial.initial())) {}

    std::optional<double> by_input(std::uint32_t input) const {
        std::vector<double> moved = trial_.initial();
        return slope([&](double by) {
            moved[input] = trial_.initial()[input] + by;
            return trial_.reference().forward(trial_.weights(), moved, &run_).result()[atom_];
        });
    }
    std::optional<double> by_weight(std::uint32_t clause) const {
        std::vector<double> moved = trial_.weights();
        return slope([&](double by) {
            moved[clause] = trial_.weights()[clause] + by;
            return trial_.reference().forward(moved, trial_.initial(), &run_).result()[atom_];
        });
    }

private:
    template <class Value>
    static std::optional<double> slope(const Value& value) {
        constexpr double h = 1e-6;
        const double middle = value(0);
        const double right = (value(h) - middle) / h;
        const double left = (middle - value(-h)) / h;
        if (std::abs(right - left) > 2e-3 * (1 + std::abs(right) + std::abs(left))) return std::nullopt;
        return (left + right) / 2;
    }

    const Trial& trial_;
    std::uint32_t atom_;
    ReferenceRun run_;
};

TEST_P(ExplainOracle, GradientsAreFiniteDifferences) {
    std::size_t checked = 0;
    std::size_t kinks = 0;
    std::size_t above_zero = 0;
    double worst = 0;
    const auto agrees = [&](std::optional<double> expected, double told) {
        if (!expected) {
            ++kinks;
            return true;
        }
        ++checked;
        above_zero += *expected > 1e-3 ? 1 : 0;
        const double error = std::abs(told - *expected) / (1 + std::abs(*expected));
        worst = std::max(worst, error);
        return error < 2e-3;
    };
    ExplainOptions options;
    options.why_not = ExplainOptions::WhyNot::Never;
    check_explanations(
        70000, 150, GetParam(), options,
        [&](Trial& trial, std::uint32_t atom, const Explanation& explanation) -> std::string {
            const FiniteDifference difference(trial, atom);
            std::map<std::uint32_t, double> told;
            for (const ExplainedInput& input : explanation.inputs) {
                if (!told.emplace(trial.number(input.atom), input.gradient).second)
                    return input.atom + " is listed twice";
                if (std::abs(input.value - trial.initial()[trial.number(input.atom)]) > 1e-7)
                    return fmt::format("the value of {} is told as {}", input.atom, input.value);
            }
            for (std::uint32_t a = 0; a < trial.graph().atom_count(); ++a) {
                const bool listed = told.contains(a);
                if (!listed && !trial.is_neural(a) && trial.initial()[a] == 0) continue;  // no input
                const std::optional<double> expected = difference.by_input(a);
                if (!agrees(expected, listed ? told[a] : 0))
                    return fmt::format("the gradient by {} is told as {} instead of {}", trial.compiled().atom_text(a),
                                       listed ? fmt::format("{}", told[a]) : "nothing", *expected);
            }
            if (explanation.clauses.size() != trial.weights().size()) return "not all clauses are told";
            for (std::uint32_t k = 0; k < explanation.clauses.size(); ++k) {
                const std::optional<double> expected = difference.by_weight(k);
                if (!agrees(expected, explanation.clauses[k].gradient))
                    return fmt::format("the gradient by the weight of {} is told as {} instead of {}",
                                       explanation.clauses[k].text, explanation.clauses[k].gradient, *expected);
            }
            // The leaves of proofs tell the same.
            for (const ExplainedProof& proof : explanation.proofs) {
                for (const ExplainedStep& step : proof.steps) {
                    if (step.origin == ExplainedStep::Origin::Rule) continue;
                    if (step.gradient != told.at(trial.number(step.atom))) return step.atom + " has two gradients";
                }
            }
            return {};
        });
    fmt::print("{} derivatives checked, {} of them above 0, {} kinks left out, largest error {:.2g}\n", checked,
               above_zero, kinks, worst);
    EXPECT_GT(above_zero, 200U);
    EXPECT_GT(checked, 5 * kinks);
}

// What is wrong with a step that a rule makes.
std::string check_step(Trial& trial, const ExplainedProof& proof, const ExplainedStep& step) {
    const Clause& clause = trial.compiled().program.clauses.at(step.clause);
    const std::string what =
        fmt::format("{} by {} with {}", step.atom, trial.compiled().clauses[step.clause].text, [&] {
            std::string text;
            for (const auto& [name, value] : step.substitution) text += fmt::format("{} = {} ", name, value);
            return text;
        }());
    const std::optional<std::string> head = trial.instance(clause, clause.head, step);
    if (!head) return what + ": the head is not ground";
    if (trial.number(*head) != trial.number(step.atom)) return what + ": the head is " + *head;
    std::vector<std::uint32_t> body;
    for (const Literal& goal : clause.body) {
        const std::optional<std::string> text = trial.instance(clause, goal.atom, step);
        if (!text) return what + ": a goal is not ground";
        const std::uint32_t atom = trial.number(*text);
        if (std::ranges::find(body, atom) == body.end()) body.push_back(atom);
    }
    std::vector<std::uint32_t> premises;
    for (const std::uint32_t premise : step.premises) premises.push_back(trial.number(proof.steps.at(premise).atom));
    if (body != premises) {
        std::vector<std::string> told;
        for (const std::uint32_t atom : premises) told.push_back(trial.compiled().atom_text(atom));
        return fmt::format("{}: the premises are told as {}", what, fmt::join(told, ", "));
    }
    // Terms of one type print differently if and only if they are different.
    for (const Constraint& constraint : clause.constraints) {
        const auto left = trial.term(clause, constraint.left, step);
        const auto right = trial.term(clause, constraint.right, step);
        if (!left || !right) continue;
        const auto same_spelling = [&](const std::string& text) {
            // A list of a substitution is written with brackets, one of the clause may be written with functors.
            return text.find('[') == std::string::npos;
        };
        if (!same_spelling(*left) || !same_spelling(*right)) continue;
        if ((*left == *right) != (constraint.comparison == Comparison::Equal))
            return fmt::format("{}: {} {} {}", what, *left,
                               constraint.comparison == Comparison::Equal ? "=" : "\\=", *right);
    }
    return {};
}

TEST_P(ExplainOracle, SubstitutionsMakeTheClauseTheStep) {
    std::size_t steps = 0;
    ExplainOptions options;
    options.proofs = 5;
    options.why_not = ExplainOptions::WhyNot::Always;
    check_explanations(71000, 250, GetParam(), options,
                       [&](Trial& trial, std::uint32_t, const Explanation& explanation) -> std::string {
                           std::vector<const ExplainedProof*> proofs;
                           for (const ExplainedProof& proof : explanation.proofs) proofs.push_back(&proof);
                           for (const NearMiss& miss : explanation.why_not->nearest) proofs.push_back(&miss.proof);
                           for (const ExplainedProof* proof : proofs) {
                               if (proof->steps.at(0).atom != explanation.atom) return "another atom is proved";
                               for (const ExplainedStep& step : proof->steps) {
                                   if (step.origin != ExplainedStep::Origin::Rule) continue;
                                   ++steps;
                                   const std::string wrong = check_step(trial, *proof, step);
                                   if (!wrong.empty()) return wrong;
                               }
                           }
                           return {};
                       });
    fmt::print("{} steps\n", steps);
    EXPECT_GT(steps, 1000U);
}

TEST_P(ExplainOracle, ProofsAndNearMissesAreWorthAtMostTheValue) {
    std::size_t proofs = 0;
    std::size_t misses = 0;
    ExplainOptions options;
    options.proofs = 3;
    options.why_not = ExplainOptions::WhyNot::Always;
    check_explanations(72000, 250, GetParam(), options,
                       [&](Trial& trial, std::uint32_t atom, const Explanation& explanation) -> std::string {
                           const double value = trial.value_with(atom, trial.weights(), trial.initial());
                           if (std::abs(explanation.value - value) > 2e-6)
                               return fmt::format("the value should be {}", value);
                           const bool exact = info(GetParam()).idempotent_or;
                           if (explanation.exact != exact) return "exact is told wrongly";
                           const double best = explanation.proofs.empty() ? 0 : explanation.proofs.front().value;
                           if (exact && std::abs(best - explanation.value) > 1e-6)
                               return fmt::format("its best proof is worth {}", best);
                           // Bounded sums make something out of derivations that are nothing each.
                           if (explanation.value > 1e-3 && explanation.proofs.empty() && info(GetParam()).keeps_zero &&
                               info(GetParam()).both(0.5, 0.5) > 0)
                               return "no proof is shown";
                           double last = 1;
                           for (const ExplainedProof& proof : explanation.proofs) {
                               ++proofs;
                               if (proof.value > explanation.value + 2e-6)
                                   return fmt::format("a proof is worth {}", proof.value);
                               if (proof.value > last + 1e-6) return "a better proof comes after a worse one";
                               if (proof.value != proof.steps.at(0).proof_value)
                                   return "the proof's value is not that of its first step";
                               last = proof.value;
                           }
                           // Near misses are looked for in any number of rounds; a cycle on which values add up may
                           // have been left before.
                           const Schedule& schedule = trial.reasoner().schedule();
                           const bool may_stop_early =
                               schedule.automatic && schedule.cyclic_components > 0 && !explanation.exact;
                           for (const NearMiss& miss : explanation.why_not->nearest) {
                               ++misses;
                               if (!may_stop_early && miss.proof.value > explanation.value + 2e-6)
                                   return fmt::format("a near miss is worth {}", miss.proof.value);
                           }
                           return {};
                       });
    fmt::print("{} proofs, {} near misses\n", proofs, misses);
    EXPECT_GT(proofs, 500U);
    EXPECT_GT(misses, 500U);
}

TEST_P(ExplainOracle, RepairsDoWhatTheyPromise) {
    std::size_t repaired = 0;
    std::size_t single = 0;
    ExplainOptions options;
    options.why_not = ExplainOptions::WhyNot::Always;
    check_explanations(
        73000, 300, GetParam(), options,
        [&](Trial& trial, std::uint32_t atom, const Explanation& explanation) -> std::string {
            for (const NearMiss& miss : explanation.why_not->nearest) {
                if (miss.failures.empty() && miss.if_true) return "a value without anything that failed";
                std::vector<double> changed = trial.initial();
                for (const Failure& failure : miss.failures) {
                    for (const std::uint32_t rival : trial.rivals_of(trial.number(failure.atom))) changed[rival] = 0;
                }
                for (const Failure& failure : miss.failures) changed[trial.number(failure.atom)] = 1;
                if (miss.if_true) {
                    ++repaired;
                    const double value = trial.value_with(atom, trial.weights(), changed);
                    if (std::abs(value - *miss.if_true) > 3e-6)
                        return fmt::format("with all failures repaired it is {}, told as {}", value, *miss.if_true);
                } else if (!miss.failures.empty()) {
                    return "the repair of a near miss was not tried";
                }
                for (const Failure& failure : miss.failures) {
                    const std::uint32_t failed = trial.number(failure.atom);
                    if (std::abs(failure.value - trial.initial()[failed]) > 1e-7)
                        return failure.atom + " has another value";
                    if (failure.if_true) {
                        ++single;
                        const double value = trial.value_with(atom, trial.weights(), trial.with(failed, 1));
                        if (std::abs(value - *failure.if_true) > 3e-6)
                            return fmt::format("with {} it is {}, told as {}", failure.atom, value, *failure.if_true);
                    }
                }
            }
            return {};
        });
    fmt::print("{} near misses repaired, {} single failures\n", repaired, single);
    EXPECT_GT(repaired, 200U);
    EXPECT_GT(single, 200U);
}

TEST_P(ExplainOracle, NeededIsEnoughAndHardlyMore) {
    std::size_t needed = 0;
    ExplainOptions options;
    options.why_not = ExplainOptions::WhyNot::Always;
    check_explanations(
        73000, 300, GetParam(), options,
        [&](Trial& trial, std::uint32_t atom, const Explanation& explanation) -> std::string {
            for (const NearMiss& miss : explanation.why_not->nearest) {
                for (const Failure& failure : miss.failures) {
                    const bool first =
                        &miss == &explanation.why_not->nearest.front() && &failure == &miss.failures.front();
                    if (first && !explanation.holds() && failure.if_true >= explanation.threshold && !failure.needed)
                        return "it is not told how much is needed of " + failure.atom;
                    if (!failure.needed) continue;
                    ++needed;
                    const auto reaches = [&](double value) {
                        const std::vector<double> changed = trial.with(trial.number(failure.atom), value);
                        return trial.value_with(atom, trial.weights(), changed) >= explanation.threshold;
                    };
                    if (!reaches(std::min(1.0, *failure.needed + 0.02)))
                        return fmt::format("{} is not enough for {}", *failure.needed, failure.atom);
                    if (*failure.needed - 0.05 > failure.value && reaches(*failure.needed - 0.05))
                        return fmt::format("{} is more than needed of {}", *failure.needed, failure.atom);
                }
            }
            return {};
        });
    fmt::print("{} values needed\n", needed);
    EXPECT_GT(needed, 20U);
}

TEST_P(ExplainOracle, WithoutIsWhatIsLeft) {
    std::size_t left_out = 0;
    std::size_t summed = 0;
    ExplainOptions options;
    options.leave_one_out = true;
    options.why_not = ExplainOptions::WhyNot::Never;
    check_explanations(
        74000, 200, GetParam(), options,
        [&](Trial& trial, std::uint32_t atom, const Explanation& explanation) -> std::string {
            double inputs = 0;
            for (const ExplainedInput& input : explanation.inputs) {
                inputs += input.share;
                if (input.value > 0 && !input.without) return input.atom + " was not left out";
                if (!input.without) continue;
                ++left_out;
                std::vector<double> changed = trial.initial();
                changed[trial.number(input.atom)] = 0;
                const double value = trial.value_with(atom, trial.weights(), changed);
                if (std::abs(value - *input.without) > 3e-6)
                    return fmt::format("without {} it is {}, told as {}", input.atom, value, *input.without);
            }
            double clauses = 0;
            for (std::size_t k = 0; k < explanation.clauses.size(); ++k) {
                const ExplainedClause& clause = explanation.clauses[k];
                clauses += clause.share;
                if (clause.used && !clause.without) return clause.text + " was not left out";
                if (!clause.without) continue;
                ++left_out;
                std::vector<double> changed = trial.weights();
                changed[k] = 0;
                const double value = trial.value_with(atom, changed, trial.initial());
                if (std::abs(value - *clause.without) > 3e-6)
                    return fmt::format("without {} it is {}, told as {}", clause.text, value, *clause.without);
            }
            summed += inputs > 0.5 ? 1 : 0;
            if (std::abs(inputs) > 1e-9 && std::abs(inputs - 1) > 1e-6)
                return fmt::format("the shares of inputs sum to {}", inputs);
            if (std::abs(clauses) > 1e-9 && std::abs(clauses - 1) > 1e-6)
                return fmt::format("the shares of clauses sum to {}", clauses);
            return {};
        });
    fmt::print("{} left out, {} explanations with shares\n", left_out, summed);
    EXPECT_GT(left_out, 500U);
    EXPECT_GT(summed, 100U);
}

// A share is a part of something: where all gradients are rounding errors there is nothing to have a part of.
TEST_P(ExplainOracle, ClausesWithAShareMatter) {
    std::size_t shares = 0;
    ExplainOptions options;
    options.leave_one_out = true;
    options.why_not = ExplainOptions::WhyNot::Never;
    check_explanations(74000, 200, GetParam(), options,
                       [&](Trial&, std::uint32_t, const Explanation& explanation) -> std::string {
                           for (const ExplainedClause& clause : explanation.clauses) {
                               if (clause.share < 0.01) continue;
                               ++shares;
                               if (!clause.without)
                                   return fmt::format("{} has the share {} with a gradient of {}, and was not left out",
                                                      clause.text, clause.share, clause.gradient);
                           }
                           return {};
                       });
    fmt::print("{} clauses with a share\n", shares);
    EXPECT_GT(shares, 100U);
}

}  // namespace
}  // namespace neumann::oracle
