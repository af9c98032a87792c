#include "ground/free_variables.h"

#include <vector>

#include <fmt/format.h>

#include "ground/limit.h"

namespace neumann {
namespace {

constexpr std::uint64_t large_rule_instances = 1'000'000;  // more by free variables alone are worth a warning

}  // namespace

void check_free_variables(const Program& program, const Universe& universe, const Rule& rule, const Plan& plan,
                          std::uint64_t memory_limit, Diagnostics& diagnostics) {
    std::uint64_t product = 1;
    bool exact = true;
    std::vector<Slot> slots;
    std::vector<std::uint64_t> sizes;
    for (const Step& step : plan.steps) {
        exact = exact && step.kind == StepKind::Domain;
        if (step.kind != StepKind::Domain && step.kind != StepKind::Apply) continue;
        const std::uint64_t size = universe.terms(rule.slot_type[step.slot]).size();
        product = saturating_mul(product, size);
        slots.push_back(step.slot);
        sizes.push_back(size);
    }
    if (product < large_rule_instances) return;
    const Span span = program.clauses[rule.clause].span;
    const std::string domains = describe_domains(program, rule, slots, sizes);
    if (exact && saturating_mul(product, bytes_per_instance(rule)) > memory_limit) {
        throw GroundingLimit(span,
                             fmt::format("this clause has {} instances ({}), beyond the memory limit of {}",
                                         product == saturated ? "more than 10^19" : fmt::format("{}", product), domains,
                                         format_bytes(memory_limit)),
                             "bind its variables in a body, or bound their types");
    }
    diagnostics.report(codes::large_rule, span,
                       fmt::format("head variables that the body does not bind multiply this clause: {}", domains),
                       "bind them in the body, or bound their types");
}

}  // namespace neumann
