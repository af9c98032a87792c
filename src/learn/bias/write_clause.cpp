#include "learn/bias/write_clause.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "learn/clauses/readable.h"
#include "learn/evaluate/problem.h"
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

    WrittenClause write(const search::Clause& given) {
        const search::Clause ordered = search::ordered(given, task_.task.bias);
        const std::vector<std::uint16_t> types = types_of(ordered);
        Clause clause;
        for (std::size_t v = first_; v < types.size(); ++v) clause.variables.push_back({"", type_of(types[v]), {}});
        clause.head.predicate = predicate_of(ordered.head);
        for (std::size_t a = first_; a < task_.task.bias.of(ordered.head).types.size(); ++a)
            clause.head.args.push_back(variable(a));
        for (const search::Literal& literal : ordered.body) add(literal, clause);
        const std::optional<SolvedClause> solved = solve_constraints(program_.terms, clause);
        clause.head = solved->head;
        clause.body = solved->body;
        clause.constraints = solved->disequations;
        Clause readable = read(std::move(clause));
        WrittenClause written;
        written.size = 1 + written_size(program_.terms, readable) +
                       2 * static_cast<double>(compared_.size() + readable.constraints.size());
        written.text = with_comparisons(readable);
        hide_singles(readable);
        written.program = with_comparisons(readable);
        return written;
    }

private:
    TermId variable(std::size_t v) { return program_.terms.variable(static_cast<std::uint32_t>(v - first_)); }

    // Those that the search invented become known when they are first met.
    PredicateId predicate_of(std::uint16_t number) {
        if (number == task_.task.bias.itself()) return target_;
        const search::Predicate& invented = task_.task.bias.body[number];
        is_plain_ = false;
        std::vector<TypeId> types;
        for (std::size_t a = first_; a < invented.types.size(); ++a) types.push_back(type_of(invented.types[a]));
        const PredicateId known = program_.signature.find_predicate(invented.name, types.size());
        if (!known.is_none()) return known;
        return program_.signature.add_predicate(invented.name, std::move(types), false, {});
    }
    std::vector<std::uint16_t> types_of(const search::Clause& clause) const {
        const std::vector<std::uint16_t>& head = task_.task.bias.of(clause.head).types;
        std::vector<std::uint16_t> types(std::max<std::size_t>(clause.variables, head.size()), 0);
        std::ranges::copy(head, types.begin());
        for (const search::Literal& literal : clause.body) {
            const search::Predicate& predicate = task_.task.bias.of(literal);
            for (std::size_t a = 0; a < predicate.types.size(); ++a) types[literal.args[a]] = predicate.types[a];
        }
        return types;
    }

    void add(const search::Literal& literal, Clause& clause) {
        std::vector<TermId> args;
        for (std::size_t a = first_; a < task_.task.bias.of(literal).types.size(); ++a)
            args.push_back(variable(literal.args[a]));
        const search::Predicate& predicate = task_.task.bias.of(literal);
        switch (predicate.kind) {
        case search::GoalKind::Same:
            clause.constraints.push_back({args[0], args[1], Comparison::Equal, {}});
            return;
        case search::GoalKind::Different:
            clause.constraints.push_back({args[0], args[1], Comparison::Different, {}});
            return;
        case search::GoalKind::Negation:
            return add_negation(task_.forms[predicate.of], args, clause);
        case search::GoalKind::Relation:
            break;
        }
        if (literal.predicate == task_.task.bias.itself() || predicate.invented) {
            clause.body.push_back({{predicate_of(literal.predicate), std::move(args), {}}});
            return;
        }
        add(task_.forms[literal.predicate], args, clause);
    }

    void add(const GoalForm& form, const std::vector<TermId>& args, Clause& clause) {
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
            compared_.push_back({args[0], form.constant, form.kind == GoalForm::Kind::AtLeast});
        }
    }

    void add_negation(const GoalForm& form, const std::vector<TermId>& args, Clause& clause) {
        if (form.kind == GoalForm::Kind::AtLeast || form.kind == GoalForm::Kind::Below) {
            compared_.push_back({args[0], form.constant, form.kind == GoalForm::Kind::Below});
            return;
        }
        const std::size_t goals = clause.body.size();
        const std::size_t equations = clause.constraints.size();
        add(form, args, clause);
        for (std::size_t i = goals; i < clause.body.size(); ++i) {
            clause.body[i].negated = true;
            is_plain_ = false;
        }
        for (std::size_t i = equations; i < clause.constraints.size(); ++i)
            clause.constraints[i].comparison = Comparison::Different;
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
        if (!compared_.empty() || !clause.constraints.empty() || !is_plain_) {
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
        for (const Constraint& one : clause.constraints) {
            count(one.left);
            count(one.right);
        }
        for (const Compared& one : compared_) count(one.term);
        for (std::size_t v = 0; v < uses.size(); ++v) {
            if (uses[v] == 1) clause.variables[v].name = "_";
        }
    }

    std::string with_comparisons(const Clause& clause) const {
        std::string text = print_clause(program_, clause);
        bool first = clause.body.empty() && clause.constraints.empty();
        for (const Compared& one : compared_) {
            text.pop_back();
            text +=
                fmt::format("{}{} {} {}.", std::exchange(first, false) ? " :- " : ", ",
                            clause.variables[program_.terms.variable_index(one.term)].name, one.at_least ? ">=" : "<",
                            program_.signature.constant(program_.terms.constant_of(one.number)).name);
        }
        return text;
    }

    const WorldTask& task_;
    PredicateId target_;
    Program program_;    // vocabulary and modes
    std::size_t first_;  // variable that is no world
    struct Compared {
        TermId term;
        TermId number;
        bool at_least;  // else it is below
    };
    std::vector<Compared> compared_;
    bool is_plain_ = true;  // goals of known predicates alone, none of them negated
};

}  // namespace

TypeId type_of(std::uint16_t type) { return TypeId(type == 0 ? 0U : type - 1U); }

WrittenClause write_clause(const WorldTask& task, const search::Clause& clause, PredicateId target,
                           const std::vector<Mode>& modes, const Worlds& worlds) {
    return ClauseWriter(task, target, modes, worlds).write(clause);
}

}  // namespace neumann
