#include "syntax/unknown_names.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"
#include "logic/print.h"
#include "syntax/refused.h"

namespace neumann::syntax {
namespace {

// :- neural(edge(node, TYPE)). with the types that its uses, or a program with one type, leave no doubt about.
std::string declaration_of(const Program& program, std::string_view name, std::size_t arity) {
    if (const std::string known = program.signature.suggested_declaration(name, arity); !known.empty()) return known;
    const std::vector<TypeDecl>& types = program.signature.types();
    const std::string type = types.size() == 1 ? quote_name(types.front().name) : "TYPE";
    std::string arguments;
    for (std::size_t i = 0; i < arity; ++i) arguments += (i == 0 ? "" : ", ") + type;
    return fmt::format(":- neural({}{}).{}", quote_name(name), arity == 0 ? "" : fmt::format("({})", arguments),
                       arity == 0 || types.size() == 1 ? "" : " with a type for each TYPE");
}

// Advice for facts and built-ins of other languages; `near` is a predicate of a similar name.
std::string advice_for_unknown(const Program& program, std::string_view name, std::size_t arity,
                               const std::string& near) {
    if (name == "query") return "a query is a fact about one atom: query(answer(X)).";
    if (name == "evidence") return "evidence is a fact about one ground atom: evidence(a). or evidence(\\+ a).";
    if (name == "not") return "it is written not goal, or \\+ goal";
    if (name == "between") return "it is written between(1, 9, X)";
    if (name == "forall") return "it is written forall(condition, goal)";
    if (const std::string_view without = advice_without(name, arity); !without.empty()) return std::string(without);
    const std::string meant = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
    if (near.ends_with(fmt::format("/{}", arity))) return meant;
    if (program.from_folder) return near.empty() ? "declare it in preds.txt or neural_preds.txt" : meant;
    return fmt::format("{} if examples give it values, declare it: {}",
                       near.empty() ? "it has no facts and no clauses;" : meant, declaration_of(program, name, arity));
}

}  // namespace

void report_unknown_predicate(Program& program, std::string_view name, std::size_t arity, Span span,
                              Diagnostics& diagnostics) {
    Signature& signature = program.signature;
    const std::string indicator = fmt::format("{}/{}", name, arity);
    if (signature.is_broken(name)) return;
    const std::string message = fmt::format("unknown predicate '{}'", indicator);
    // Once for all uses in the current text: a text that is read later reports it again.
    if (diagnostics.has(codes::unknown_predicate, message)) return;
    std::vector<PredicateId> others;  // of other arities, as many as a predicate may have
    for (std::size_t other = 0; other < 32; ++other) {
        const PredicateId found = signature.find_predicate(name, other);
        if (!found.is_none()) others.push_back(found);
    }
    std::ranges::sort(others);
    std::vector<std::string> arities;
    std::vector<Diagnostic::Related> declared;
    for (const PredicateId other : others) {
        const PredicateDecl& predicate = signature.predicate(other);
        arities.push_back(fmt::format("{}", predicate.args.size()));
        declared.push_back({predicate.span, fmt::format("'{}' is {} here", print_indicator(predicate),
                                                        predicate.inferred ? "defined" : "declared")});
    }
    if (!arities.empty()) {
        diagnostics.report(codes::wrong_arity, span,
                           fmt::format("'{}' is given {}, but it takes {}", name, counted(arity, "argument"),
                                       fmt::join(arities, " or ")),
                           {}, std::move(declared));
        return;
    }
    std::vector<std::string> known;
    if (is_worth_comparing(diagnostics, signature.predicates().size())) {
        for (const PredicateDecl& predicate : signature.predicates()) known.push_back(print_indicator(predicate));
    }
    diagnostics.report(codes::unknown_predicate, span, message,
                       advice_for_unknown(program, name, arity, nearest_name(indicator, known)));
}

void report_unknown_type(const Signature& signature, std::string_view name, Span span, Diagnostics& diagnostics) {
    if (signature.is_broken(name)) return;
    std::vector<std::string> known;
    for (const TypeDecl& type : signature.types()) known.push_back(type.name);
    diagnostics.report(
        codes::unknown_type, span, fmt::format("unknown type '{}'", name),
        did_you_mean(name, known, fmt::format("declare it: :- type({}, [constant, …]).", quote_name(name))));
}

}  // namespace neumann::syntax
