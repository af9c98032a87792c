#include "learn/bias/program_clauses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learn/clauses/readable.h"
#include "learn/evaluate/problem.h"
#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

class ClauseWriter {
public:
    ClauseWriter(Program& program, const SearchTask& task, PredicateId target)
        : program_(program), task_(task), target_(target), first_(task.world_column ? 1 : 0) {}

    Clause write(const search::Clause& given) {
        compared_.clear();
        is_plain_ = true;
        const search::Clause ordered = search::ordered(given, task_.task.bias);
        const std::vector<std::uint16_t> types = types_of(ordered);
        Clause clause;
        for (std::size_t v = first_; v < types.size(); ++v) clause.variables.push_back({"", task_.types[types[v]], {}});
        clause.head.predicate = predicate_of(ordered.head);
        for (std::size_t a = first_; a < task_.task.bias.of(ordered.head).types.size(); ++a)
            clause.head.args.push_back(variable(a));
        for (const search::Literal& literal : ordered.body) add(literal, clause);
        const std::optional<SolvedClause> solved = solve_constraints(program_.terms, clause);
        clause.head = solved->head;
        clause.body = solved->body;
        clause.constraints = solved->disequations;
        Clause readable = read(std::move(clause));
        readable.constraints.insert(readable.constraints.end(), compared_.begin(), compared_.end());
        return readable;
    }

private:
    TermId variable(std::size_t v) { return program_.terms.variable(static_cast<std::uint32_t>(v - first_)); }

    // Invented predicates are declared at their first use.
    PredicateId predicate_of(std::uint16_t number) {
        if (number == task_.task.bias.itself()) return target_;
        is_plain_ = false;
        const auto [found, is_new] = invented_.try_emplace(number);
        if (!is_new) return found->second;
        const search::Predicate& invented = task_.task.bias.body[number];
        std::vector<TypeId> types;
        for (std::size_t a = first_; a < invented.types.size(); ++a) types.push_back(task_.types[invented.types[a]]);
        std::string name = invented.name;
        while (!program_.signature.find_predicate(name, types.size()).is_none()) name += "_";
        return found->second = program_.signature.add_predicate(name, std::move(types), false, {});
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
            add_comparison(args[0], form.kind == GoalForm::Kind::AtLeast, form.constant);
        }
    }

    void add_negation(const GoalForm& form, const std::vector<TermId>& args, Clause& clause) {
        if (form.kind == GoalForm::Kind::AtLeast || form.kind == GoalForm::Kind::Below) {
            return add_comparison(args[0], form.kind == GoalForm::Kind::Below, form.constant);
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

    void add_comparison(TermId term, bool at_least, TermId number) {
        compared_.push_back({term, number, at_least ? Comparison::AtLeast : Comparison::Less, {}});
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
        if (task_.directed || !compared_.empty() || !clause.constraints.empty() || !is_plain_) {
            name_variables(program_.signature, program_.terms, clause);
            return clause;
        }
        Refiner refiner(program_, {program_.modes, {}});
        return refiner.readable(refiner.canonical(clause));
    }

    Program& program_;
    const SearchTask& task_;
    PredicateId target_;
    std::size_t first_;                              // variable that is no world
    std::map<std::uint16_t, PredicateId> invented_;  // by the search's numbers
    std::vector<Constraint> compared_;
    bool is_plain_ = true;  // goals of known predicates alone, none of them negated
};

}  // namespace

std::vector<Clause> program_clauses(Program& program, const SearchTask& task,
                                    const std::vector<search::Clause>& clauses, PredicateId target) {
    ClauseWriter writer(program, task, target);
    std::vector<Clause> written;
    for (const search::Clause& clause : clauses) written.push_back(writer.write(clause));
    return written;
}

double size_of(const TermTable& terms, const Clause& clause) {
    return 1 + written_size(terms, clause) + 2 * static_cast<double>(clause.constraints.size());
}

}  // namespace neumann
