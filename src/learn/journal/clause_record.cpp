#include "learn/journal/clause_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "learn/task/learn_error.h"
#include "logic/print.h"
#include "syntax/load.h"

namespace neumann {

std::vector<std::string> written_clauses(const std::vector<Clause>& clauses, const Program& program) {
    std::vector<std::string> texts;
    for (const Clause& clause : clauses) texts.push_back(print_clause(program, clause));
    return texts;
}

std::vector<std::vector<std::string>> written_inventions(const std::vector<Clause>& clauses, PredicateId target,
                                                         const Program& program) {
    std::vector<std::vector<std::string>> invented;
    for (const Clause& clause : clauses) {
        if (clause.head.predicate == target) continue;
        const PredicateDecl& predicate = program.signature.predicate(clause.head.predicate);
        std::vector<std::string> one = {predicate.name};
        for (const TypeId type : predicate.args) one.push_back(program.signature.type(type).name);
        if (std::ranges::find(invented, one) == invented.end()) invented.push_back(std::move(one));
    }
    return invented;
}

std::vector<Clause> read_clauses(const std::vector<std::string>& clauses,
                                 const std::vector<std::vector<std::string>>& invented, Program& program) {
    for (const std::vector<std::string>& one : invented) {
        std::vector<TypeId> types;
        for (std::size_t i = 1; i < one.size(); ++i) types.push_back(program.signature.find_type(one[i]));
        program.signature.add_predicate(one[0], std::move(types), false, {});
    }
    std::string text;
    for (const std::string& clause : clauses) text += clause + "\n";
    const auto known = static_cast<std::ptrdiff_t>(program.clauses.size());
    Diagnostics diagnostics;
    add_clauses(program, "<journal>", std::move(text), diagnostics);
    if (diagnostics.has_errors()) throw LearnError("the journal's clauses are not clauses of this program");
    std::vector<Clause> read(std::make_move_iterator(program.clauses.begin() + known),
                             std::make_move_iterator(program.clauses.end()));
    program.clauses.erase(program.clauses.begin() + known, program.clauses.end());
    return read;
}

}  // namespace neumann
