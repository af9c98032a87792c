#include "worlds/write_clause.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "learn/problem.h"
#include "learn/readable.h"
#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

class ClauseWriter {
public:
    ClauseWriter(const WorldTask& task, PredicateId target, const std::vector<Mode>& modes, const Worlds& worlds)
        : task_(task), target_(target), first_(task.world_column ? 1 : 0) {
        program_.signature = worlds.signature;
        program_.terms = worlds.terms;
        program_.modes = modes;
    }

    WrittenClause write(const induce::Clause& given) {
        const induce::Clause ordered = induce::ordered(given, task_.task.bias);
        const std::vector<std::uint16_t> types = types_of(ordered);
        Clause clause;
        for (std::size_t v = first_; v < types.size(); ++v)
            clause.variables.push_back({"", TypeId(types[v] == 0 ? 0U : types[v] - 1U), {}});
        clause.head.predicate = target_;
        for (std::size_t a = first_; a < task_.task.bias.arity(); ++a) clause.head.args.push_back(variable(a));
        for (const induce::Literal& literal : ordered.body) add(literal, clause);
        const std::optional<SolvedClause> solved = solve_constraints(program_.terms, clause);
        clause.head = solved->head;
        clause.body = solved->body;
        clause.constraints.clear();
        Clause readable = read(std::move(clause));
        WrittenClause written;
        written.size = 1 + written_size(program_.terms, readable) + 2 * static_cast<double>(compared_.size());
        written.text = with_comparisons(readable);
        hide_singles(readable);
        written.program = with_comparisons(readable);
        return written;
    }

private:
    TermId variable(std::size_t v) { return program_.terms.variable(static_cast<std::uint32_t>(v - first_)); }

    std::vector<std::uint16_t> types_of(const induce::Clause& clause) const {
        std::vector<std::uint16_t> types(std::max<std::size_t>(clause.variables, task_.task.bias.arity()), 0);
        std::ranges::copy(task_.task.bias.head.types, types.begin());
        for (const induce::Literal& literal : clause.body) {
            const induce::Predicate& predicate = task_.task.bias.of(literal);
            for (std::size_t a = 0; a < predicate.types.size(); ++a) types[literal.args[a]] = predicate.types[a];
        }
        return types;
    }

    void add(const induce::Literal& literal, Clause& clause) {
        std::vector<TermId> args;
        for (std::size_t a = first_; a < task_.task.bias.of(literal).types.size(); ++a)
            args.push_back(variable(literal.args[a]));
        if (literal.predicate == task_.task.bias.itself()) {
            clause.body.push_back({{target_, std::move(args), {}}});
            return;
        }
        const GoalForm& form = task_.forms[literal.predicate];
        switch (form.kind) {
        case GoalForm::Kind::Atom:
            clause.body.push_back({{form.predicate, filled(form, args), {}}});
            return;
        case GoalForm::Kind::Compound: {
            const TermId compound = program_.terms.compound(form.functor, std::span(args).subspan(1));
            clause.constraints.push_back({args[0], compound, Comparison::Equal, {}});
            return;
        }
        case GoalForm::Kind::Constant:
            clause.constraints.push_back({args[0], form.constant, Comparison::Equal, {}});
            return;
        case GoalForm::Kind::Equal:
            clause.constraints.push_back({args[0], args[1], Comparison::Equal, {}});
            return;
        case GoalForm::Kind::AtLeast:
        case GoalForm::Kind::Below:
            compared_.push_back({args[0], &form});
        }
    }

    std::vector<TermId> filled(const GoalForm& form, const std::vector<TermId>& given) const {
        std::vector<TermId> args = form.constants;
        if (args.empty()) args.resize(program_.signature.predicate(form.predicate).args.size());
        std::size_t next = 0;
        for (TermId& arg : args) {
            if (arg.is_none()) arg = given[next++];
        }
        return args;
    }

    Clause read(Clause clause) {
        if (!compared_.empty()) {
            name_variables(program_.signature, program_.terms, clause);
            return clause;
        }
        Refiner refiner(program_, {program_.modes, {}});
        return refiner.readable(refiner.canonical(clause));
    }

    void hide_singles(Clause& clause) const {
        std::vector<int> uses(clause.variables.size(), 0);
        const auto count = [&](TermId term) {
            for_each_variable(program_.terms, term, [&](std::uint32_t v) { ++uses[v]; });
        };
        std::ranges::for_each(clause.head.args, count);
        for (const Literal& literal : clause.body) std::ranges::for_each(literal.atom.args, count);
        for (const auto& [term, form] : compared_) count(term);
        for (std::size_t v = 0; v < uses.size(); ++v) {
            if (uses[v] == 1) clause.variables[v].name = "_";
        }
    }

    std::string with_comparisons(const Clause& clause) const {
        std::string text = print_clause(program_, clause);
        for (const auto& [term, form] : compared_) {
            text.pop_back();
            text += fmt::format("{}{} {} {}.", clause.body.empty() ? " :- " : ", ",
                                clause.variables[program_.terms.variable_index(term)].name,
                                form->kind == GoalForm::Kind::AtLeast ? ">=" : "<",
                                program_.signature.constant(program_.terms.constant_of(form->constant)).name);
        }
        return text;
    }

    const WorldTask& task_;
    PredicateId target_;
    Program program_;    // vocabulary and modes
    std::size_t first_;  // variable that is no world
    std::vector<std::pair<TermId, const GoalForm*>> compared_;
};

}  // namespace

WrittenClause write_clause(const WorldTask& task, const induce::Clause& clause, PredicateId target,
                           const std::vector<Mode>& modes, const Worlds& worlds) {
    return ClauseWriter(task, target, modes, worlds).write(clause);
}

}  // namespace neumann
