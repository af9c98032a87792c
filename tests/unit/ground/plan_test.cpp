#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ground/plan.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string vocabulary =
    ":- type(e, [a, b]). :- type(big, [c]). :- list(l, e, f, nil). :- max_length(l, 2). :- pred(p(e)). :- pred(q(e, e)). "
    ":- pred(r(e, big)). :- pred(k). :- pred(s(l)). :- pred(append(l, l, l)). :- pred(t(big)).\n";

struct Planned {
    ReadProgram read;
    Rule rule;

    explicit Planned(const std::string& clause) : read(neumann::read(vocabulary + clause)) {
        EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
        const TermBounds bounds(read.program.signature);
        rule = compile_rule(read.program, bounds, read.program.clauses[0]).value();
    }
    PlanCosts costs() const {
        PlanCosts costs;
        const TypeId big = read.program.signature.find_type("big");
        costs.domain = [big](TypeId type) { return type == big ? 1000.0 : 10.0; };
        costs.applications = [](FunctorId) { return 100.0; };
        costs.scan = [](std::uint32_t, std::uint32_t known) { return 100.0 / (1 << __builtin_popcount(known)); };
        return costs;
    }
    std::string slot(Slot s) const {
        const std::uint32_t variable = rule.slot_variable[s];
        return variable == Rule::no_variable ? "_" : read.program.clauses[0].variables[variable].name;
    }
    // "scan q(01)": what each step looks at, and which arguments it knows.
    std::string text(const Plan& plan) const {
        std::vector<std::string> steps;
        const auto mask = [](std::uint32_t known, std::size_t size) {
            std::string bits;
            for (std::size_t i = 0; i < size; ++i) bits += (known >> i) & 1U ? '1' : '0';
            return bits;
        };
        for (const Step& step : plan.steps) {
            switch (step.kind) {
            case StepKind::Scan: {
                const RuleAtom& atom = rule.body[step.subject];
                const PredicateDecl& predicate = read.program.signature.predicate(atom.predicate);
                steps.push_back(fmt::format("scan {} {}", predicate.name, mask(step.known, atom.args.size())));
                break;
            }
            case StepKind::Apply:
                steps.push_back(fmt::format("apply {}", mask(step.known, rule.functors[step.subject].args.size())));
                break;
            case StepKind::Domain:
                steps.push_back("domain " + slot(step.slot));
                break;
            case StepKind::Destructure:
                steps.push_back("destructure");
                break;
            case StepKind::Construct:
                steps.push_back("construct");
                break;
            case StepKind::Different:
                steps.push_back("different");
                break;
            case StepKind::Negated:
                steps.push_back("negated");
                break;
            case StepKind::Compare:
                steps.push_back("compare");
                break;
            case StepKind::Compute:
                steps.push_back("compute " + slot(step.slot));
                break;
            case StepKind::Enumerate:
                steps.push_back("enumerate " + slot(step.slot));
                break;
            case StepKind::Solve:
                steps.push_back("solve " + slot(step.slot));
                break;
            case StepKind::Create:
                steps.push_back("create " + slot(step.slot));
                break;
            }
        }
        return fmt::format("{}", fmt::join(steps, ", "));
    }
    Plan full_plan() const { return plan_full(read.program.terms, rule, costs()); }
    Plan join_plan(std::uint32_t first = no_atom) const { return plan_join(read.program.terms, rule, costs(), first); }
    std::string full() const { return text(full_plan()); }
    std::string join(std::uint32_t first = no_atom) const { return text(join_plan(first)); }
};

TEST(Plan, FullGroundingRangesOverDomainsHeadFirst) {
    EXPECT_EQ(Planned("q(X,Y) :- q(X,Z), q(Z,Y).").full(), "domain X, domain Y, domain Z");
    EXPECT_EQ(Planned("k :- r(X,B).").full(), "domain X, domain B") << "the widest innermost";
    EXPECT_EQ(Planned("k :- true.").full(), "") << "nothing to choose";
    EXPECT_EQ(Planned("k :- p(a).").full(), "");
}

TEST(Plan, FullGroundingUsesFunctorsAsTables) {
    EXPECT_EQ(Planned("s([H|T]) :- s(T), p(H).").full(), "apply 00");
    EXPECT_EQ(Planned("append([H|T],Y,[H|Z]) :- append(T,Y,Z).").full(), "apply 00, apply 10, domain Y");
}

TEST(Plan, JoinsScanTheBodyAndThenBuildTheHead) {
    EXPECT_EQ(Planned("p(X) :- q(X,Y), p(Y).").join(), "scan p 0, scan q 01");
    EXPECT_EQ(Planned("append([H|T],Y,[H|Z]) :- append(T,Y,Z), p(H).").join(),
              "scan p 0, scan append 000, construct, construct");
    EXPECT_EQ(Planned("s(T) :- s([H|T]), p(H).").join(), "scan p 0, scan s 0, destructure");
    EXPECT_EQ(Planned("p(X) :- p(Y).").join(), "scan p 0, domain X") << "a free variable ranges over its type";
    EXPECT_EQ(Planned("k :- k.").join(), "scan k ");
}

TEST(Plan, TheNewestRowsComeFirst) {
    const Planned rule("q(X,Y) :- q(X,Z), q(Z,Y).");
    EXPECT_EQ(rule.join(0), "scan q 00, scan q " + std::string(rule.join(0).ends_with("10") ? "10" : "01"));
    EXPECT_EQ(rule.join_plan(0).steps[0].subject, 0U);
    EXPECT_EQ(rule.join_plan(1).steps[0].subject, 1U);
}

TEST(Plan, ComparisonsComeAsSoonAsBothSidesAreKnown) {
    EXPECT_EQ(Planned("k :- p(X), p(Y), t(B), X \\= Y.").full(), "domain X, domain Y, different, domain B");
    EXPECT_EQ(Planned("k :- p(X), X \\= a.").full(), "domain X, different");
}

TEST(Plan, KnownResultsOfSumsGiveTheirVariables) {
    const Planned rule(":- pred(n(number)). :- pred(m(number, number)). n(Y) :- m(X,Y), M is X - 1, n(M).");
    PlanCosts costs = rule.costs();
    const auto text = [&](std::uint32_t first) {
        return rule.text(plan_join(rule.read.program.terms, rule.rule, costs, first));
    };
    EXPECT_EQ(text(0), "scan n 0, scan m 00, compare");
    costs.only_numbers = [](TypeId) { return true; };
    EXPECT_EQ(text(0), "scan n 0, solve X, compare, scan m 10");
    EXPECT_EQ(text(1), "scan m 00, compute M, scan n 1") << "nothing is unknown there";
    costs.only_numbers = [](TypeId) { return false; };
    EXPECT_EQ(text(0), "scan n 0, scan m 00, compare") << "what is no number has to be an error";
}

TEST(Plan, EverySlotIsKnownInTheEndAndNoStepComesTwice) {
    for (const char* clause :
         {"append([H|T],Y,[H|Z]) :- append(T,Y,Z).", "s([X,Y]) :- q(X,Y), X \\= Y.", "append([],Y,Y).",
          "q(X,Y) :- s([X|T]), s([Y|T]), r(X,_).", "s([a,X]).", "k :- s([X|T]), append(T,T,[X|T])."}) {
        const Planned rule(clause);
        std::vector<Plan> plans = {rule.full_plan(), rule.join_plan()};
        for (std::size_t p = 0; p < plans.size(); ++p) {
            std::vector<bool> known(rule.rule.slot_count());
            for (Slot s = 0; s < known.size(); ++s) known[s] = !rule.rule.slot_value[s].is_none();
            std::map<std::pair<int, std::uint32_t>, int> seen;
            for (const Step& step : plans[p].steps) {
                const auto know = [&](const std::vector<Slot>& slots) {
                    for (Slot s : slots) known[s] = true;
                };
                const bool functor = step.kind == StepKind::Apply || step.kind == StepKind::Construct ||
                                     step.kind == StepKind::Destructure;
                if (step.kind == StepKind::Domain) known[step.slot] = true;
                if (step.kind == StepKind::Scan) know(rule.rule.body[step.subject].args);
                if (functor) {
                    know(rule.rule.functors[step.subject].args);
                    known[rule.rule.functors[step.subject].result] = true;
                }
                if (step.kind != StepKind::Domain) {
                    EXPECT_EQ(++(seen[{functor ? -1 : static_cast<int>(step.kind), step.subject}]), 1) << clause;
                }
            }
            EXPECT_EQ(std::ranges::count(known, false), 0) << clause << (p == 0 ? " full" : " join");
            const std::size_t scans = p == 0 ? 0 : rule.rule.body.size();
            EXPECT_EQ(plans[p].steps.size() - seen.size() + scans + rule.rule.functors.size() +
                          rule.rule.different.size(),
                      plans[p].steps.size())
                << clause;
        }
    }
}

TEST(Plan, OnlyTermsOfTheHeadAloneMayBeCreated) {
    using Roles = std::vector<TermRole>;
    EXPECT_EQ(term_roles(Planned("s([X|T]) :- s(T), p(X).").rule), (Roles{TermRole::Head}));
    EXPECT_EQ(term_roles(Planned("s(T) :- s([X|T]), p(X).").rule), (Roles{TermRole::Body}));
    EXPECT_EQ(term_roles(Planned("s([X|T]) :- s([X|T]).").rule), (Roles{TermRole::Body}));
    EXPECT_EQ(term_roles(Planned("k :- s([X,Y]), p(X), p(Y).").rule), (Roles{TermRole::Body, TermRole::Body}))
        << "a part of a body's term is in the body";
}

}  // namespace
}  // namespace neumann
