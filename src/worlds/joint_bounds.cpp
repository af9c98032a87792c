#include "worlds/joint_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace neumann {

JointBounds join_evidence(BoundedFunctions functions, const WorldsTask& task, std::span<const OptionalIndex> function) {
    JointBounds all{std::move(functions), {}, {DecisionDiagrams::always, DecisionDiagrams::always}};
    DecisionDiagrams& diagrams = all.of.diagrams;
    const auto negation = [&](FunctionBounds of) -> FunctionBounds {
        return {diagrams.negation(of.high), diagrams.negation(of.low)};
    };
    const auto both = [&](FunctionBounds a, FunctionBounds b) -> FunctionBounds {
        return {diagrams.both(a.low, b.low), diagrams.both(a.high, b.high)};
    };
    try {
        for (const GraphLiteral literal : task.observed) {
            const FunctionBounds one = all.of.functions[*function[literal.atom()]];
            all.observed = both(all.observed, literal.negated() ? negation(one) : one);
        }
    } catch (const DiagramLimit&) {
        all.observed.low = DecisionDiagrams::never;  // some of it is a bound from above alone
    }
    try {
        for (const std::uint32_t atom : task.asked) {
            const FunctionBounds one = all.of.functions[*function[atom]];
            all.asked.push_back({both(one, all.observed), both(negation(one), all.observed)});
        }
    } catch (const DiagramLimit&) {
        all.asked.resize(task.asked.size());  // nothing is known of those
    }
    return all;
}

double ConditionalBounds::chance_of_not(std::uint32_t function) {
    const FunctionBounds of = bounds_.of.functions[function];
    if (of.high == DecisionDiagrams::always) return 0;
    if (of.high == DecisionDiagrams::never) return 1;
    return std::clamp(1 - weights_(of.high), std::numeric_limits<double>::min(), std::nextafter(1.0, 0.0));
}

// P(q|e) = P(q∧e) / (P(q∧e) + P(¬q∧e)), which grows with the first and falls with the second.
ValueBounds ConditionalBounds::bounds(std::size_t asked, const Known& known, bool tightest) {
    const JointBounds::Asked& joint = bounds_.asked[asked];
    const double holds =
        known.all ? known.proved : std::max(std::min(weights_(joint.holds.high), known.most), known.proved);
    const double fails = std::max(weights_(joint.fails.low), weights_(bounds_.observed.low) - holds);
    double low = value(known);
    if (const double surely = weights_(joint.holds.low); tightest && surely > 0)
        low = std::max(low, surely / (surely + weights_(joint.fails.high)));
    const double high = holds > 0 ? std::min(holds / (holds + std::max(fails, 0.0)), 1.0) : 0.0;
    return {low, std::max(low, high)};  // rounding
}

}  // namespace neumann
