#include "syntax/clause_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "syntax/parser.h"
#include "syntax/resolve.h"

namespace neumann::syntax {
namespace {

class ClauseReader {
public:
    ClauseReader(Program& program, ClauseTarget target, Diagnostics& diagnostics)
        : program_(program), target_(target), diagnostics_(diagnostics), resolver_(program, diagnostics) {}

    void read(const Ast& ast, const Item& item) {
        const bool weight_ok = !item.weight || good_weight(*item.weight);
        std::optional<Clause> clause = resolver_.rule(ast, item.root, item.span);
        if (!clause || !weight_ok) return;
        if (item.weight) clause->weight = item.weight->value;
        // `p(a).` is a fact, `p(a) :- true.` a clause with an empty body; in folders the file says which is which.
        const bool bare = clause->body.empty() && clause->constraints.empty();
        const bool says_true = ast[item.root].text == "true";
        const bool is_fact = target_ == ClauseTarget::FactsOnly ||
                             (target_ == ClauseTarget::FactsAndClauses && bare && !says_true && is_ground(*clause));
        if (is_fact) {
            add_fact(*clause, bare);
        } else {
            add_clause(std::move(*clause));
        }
    }

private:
    bool good_weight(const Weight& weight) {
        if (weight.value >= 0 && weight.value <= 1) return true;
        diagnostics_.report(codes::bad_weight, weight.span, "a weight lies between 0 and 1",
                            "write a number from 0 to 1; it multiplies the value of the body");
        return false;
    }
    bool is_ground(const Clause& clause) const {
        return std::ranges::all_of(clause.head.args, [&](TermId t) { return program_.terms.is_ground(t); });
    }
    void add_fact(const Clause& clause, bool bare) {
        if (!bare) {
            diagnostics_.report(codes::syntax, clause.span, "a clause with a body in a file of facts",
                                "clauses belong in bk_clauses.txt");
        } else if (!is_ground(clause)) {
            diagnostics_.report(codes::not_ground, clause.variables[0].span,
                                fmt::format("a fact must be ground, but '{}' is a variable", clause.variables[0].name),
                                "a clause with an empty body (head:-.) belongs in bk_clauses.txt");
        } else {
            program_.facts.add(clause.head.predicate, clause.head.args, clause.weight_value(), clause.span);
        }
    }
    void add_clause(Clause clause) {
        const PredicateDecl& predicate = program_.signature.predicate(clause.head.predicate);
        if (predicate.neural) {
            diagnostics_.report(codes::bad_declaration, clause.head.span,
                                fmt::format("'{}/{}' is neural: its values come from outside, not from clauses",
                                            predicate.name, predicate.args.size()),
                                "declare it with :- pred(…), or derive a predicate of another name",
                                {{predicate.span, "it is declared here"}});
            return;
        }
        const bool learned = std::ranges::any_of(
            program_.learn, [&](const LearnTarget& t) { return t.predicate == clause.head.predicate; });
        clause.certain = !clause.weight && !learned;
        if (target_ == ClauseTarget::Initial) {
            clause.weight.reset();  // the search starts from a shape
            program_.initial.push_back(std::move(clause));
        } else {
            program_.clauses.push_back(std::move(clause));
        }
    }

    Program& program_;
    ClauseTarget target_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
};

}  // namespace

std::vector<Directive> read_directives(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                                       Signature* signature) {
    std::vector<Directive> directives;
    Parser parser(sources, file, file_dialect, diagnostics);
    while (std::optional<Item> item = parser.next_directive()) {
        directives.push_back({parser.ast(), *item, parser.texts()});
    }
    for (const std::string& name : parser.broken_names())
        if (signature != nullptr) signature->mark_broken(name);
    return directives;
}

void refuse_clauses(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
    Parser parser(sources, file, file_dialect, diagnostics);
    while (std::optional<Item> item = parser.next_item()) {
        if (item->kind == Item::Kind::Directive) continue;
        diagnostics.report(codes::syntax, item->span, "only directives stand in a file given by --modes",
                           "clauses belong in clauses.txt or bk_clauses.txt");
    }
}

void read_clauses(Program& program, std::uint32_t file, Dialect dialect, ClauseTarget target,
                  Diagnostics& diagnostics) {
    Parser parser(*program.sources, file, dialect, diagnostics);
    ClauseReader reader(program, target, diagnostics);
    while (std::optional<Item> item = parser.next_item()) {
        if (item->kind == Item::Kind::Clause) {
            reader.read(parser.ast(), *item);
        } else if (target != ClauseTarget::FactsAndClauses) {
            diagnostics.report(codes::syntax, item->span, "directives do not stand in the clause files of a folder",
                               "give them in a file of their own with --modes FILE");
        }
    }
}

}  // namespace neumann::syntax
