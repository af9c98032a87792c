#include "oracle/program_text.h"

#include <fmt/format.h>

namespace neumann::oracle {
namespace {

std::string print(const TermText& term, const std::vector<std::string>& names) {
    if (term.variable != TermText::no_variable) return names[static_cast<std::size_t>(term.variable)];
    if (term.brackets) {
        std::string text = "[";
        const TermText* at = &term;
        for (; at->brackets && !at->args.empty(); at = &at->args[1])
            text += (at == &term ? "" : ",") + print(at->args[0], names);
        return at->brackets ? text + "]" : text + "|" + print(*at, names) + "]";
    }
    std::vector<std::string> args;
    for (const TermText& arg : term.args) args.push_back(print(arg, names));
    return args.empty() ? term.name : fmt::format("{}({})", term.name, fmt::join(args, ","));
}

std::string print(const GoalText& goal, const std::vector<std::string>& names, Signs signs) {
    if (goal.kind == GoalText::Kind::Atom) {
        const bool negated = goal.negated && signs == Signs::Shown;
        return (negated ? "\\+ " : "") + print(TermText{goal.predicate, goal.args}, names);
    }
    return fmt::format("{} {} {}", print(goal.args[0], names),
                       goal.kind == GoalText::Kind::Equal ? "=" : "\\=", print(goal.args[1], names));
}

void count(const TermText& term, std::vector<unsigned>& uses) {
    if (term.variable != TermText::no_variable) ++uses[static_cast<std::size_t>(term.variable)];
    for (const TermText& arg : term.args) count(arg, uses);
}

}  // namespace

std::vector<unsigned> variable_uses(const ClauseText& clause) {
    std::vector<unsigned> uses(clause.variables.size(), 0);
    for (const TermText& arg : clause.head.args) count(arg, uses);
    for (const GoalText& goal : clause.body) {
        for (const TermText& arg : goal.args) count(arg, uses);
    }
    return uses;
}

std::string text_of(const ClauseText& clause, Signs signs) {
    std::string text = clause.weight.empty() ? "" : clause.weight + "::";
    text += print(clause.head, clause.variables, signs);
    std::vector<std::string> goals;
    for (const GoalText& goal : clause.body) goals.push_back(print(goal, clause.variables, signs));
    if (goals.empty() && clause.says_true) goals.emplace_back("true");
    return goals.empty() ? text : fmt::format("{} :- {}", text, fmt::join(goals, ", "));
}

std::string text_of(const ProgramText& program, Signs signs) {
    std::string text;
    for (const std::string& declaration : program.declarations) text += declaration + "\n";
    for (const ClauseText& query : program.queries) text += ":- query(" + text_of(query) + ").\n";
    for (const ClauseText& label : program.labels) text += ":- label(" + text_of(label) + ").\n";
    for (const ClauseText& fact : program.facts) text += text_of(fact) + ".\n";
    for (const ClauseText& clause : program.clauses) text += text_of(clause, signs) + ".\n";
    return text;
}

}  // namespace neumann::oracle
