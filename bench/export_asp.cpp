// Writes a program as an answer set program whose grounding by gringo has the same ground clauses as our full mode:
// every typed atom is possible (a choice), every typed substitution a rule. For the benchmark beside gringo.
#include <cstdio>
#include <set>
#include <string>

#include <fmt/format.h>

#include "analyse/analyse.h"
#include "ground/universe.h"
#include "logic/substitution.h"
#include "syntax/load.h"

namespace {

using namespace neumann;

class AspWriter {
public:
    explicit AspWriter(Program& program)
        : program_(program), bounds_(program.signature), universe_(program, bounds_, 1ULL << 32) {
        universe_.enumerate(std::vector<bool>(program.signature.types().size(), true));
    }

    void write() {
        fmt::print("{{ top }}.\n");  // what clauses with an empty body depend on, so that they stay rules
        for (std::uint32_t t = 0; t < program_.signature.types().size(); ++t) {
            for (TermId term : universe_.terms(TypeId(t))) fmt::print("t{}({}).\n", t, text(term));
        }
        for (std::uint32_t p = 0; p < program_.signature.predicates().size(); ++p) {
            const PredicateDecl& predicate = program_.signature.predicates()[p];
            std::vector<std::string> args;
            std::vector<std::string> types;
            for (std::size_t i = 0; i < predicate.args.size(); ++i) {
                args.push_back(fmt::format("X{}", i));
                types.push_back(fmt::format("t{}(X{})", predicate.args[i].value(), i));
            }
            fmt::print("{{ p{}({}) : {} }}.\n", p, fmt::join(args, ","), fmt::join(types, ", "));
        }
        for (const Clause& clause : program_.clauses) {
            if (const auto solved = solve_constraints(program_.terms, clause)) write_rule(*solved);
        }
    }

private:
    std::string text(TermId term) const {
        const TermTable& terms = program_.terms;
        switch (terms.kind(term)) {
        case TermKind::Variable:
            return fmt::format("V{}", terms.variable_index(term));
        case TermKind::Constant:
            return fmt::format("c{}", terms.constant_of(term).value());
        case TermKind::Compound:
            break;
        }
        std::vector<std::string> args;
        for (TermId arg : terms.args(term)) args.push_back(text(arg));
        return fmt::format("f{}({})", terms.functor_of(term).value(), fmt::join(args, ","));
    }
    std::string text(const Atom& atom) const {
        std::vector<std::string> args;
        for (TermId arg : atom.args) args.push_back(text(arg));
        return fmt::format("p{}({})", atom.predicate.value(), fmt::join(args, ","));
    }
    // Body atoms exist only for terms of the universe; what the head builds must be asked for.
    void write_rule(const SolvedClause& clause) const {
        std::vector<std::string> body;
        for (const Literal& goal : clause.body) body.push_back((goal.negated ? "not " : "") + text(goal.atom));
        if (body.empty()) body.emplace_back("top");
        const std::vector<TypeId>& types = program_.signature.predicate(clause.head.predicate).args;
        for (std::size_t i = 0; i < types.size(); ++i)
            body.push_back(fmt::format("t{}({})", types[i].value(), text(clause.head.args[i])));
        for (const Constraint& c : clause.disequations)
            body.push_back(fmt::format("{} != {}", text(c.left), text(c.right)));
        fmt::print("{} :- {}.\n", text(clause.head), fmt::join(body, ", "));
    }

    Program& program_;
    TermBounds bounds_;
    Universe universe_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: export_asp PROGRAM > program.lp\n", stderr);
        return 2;
    }
    Diagnostics diagnostics;
    Program program = load_program(argv[1], {}, diagnostics);
    if (!diagnostics.has_errors()) analyse(program, {.full_grounding = true}, diagnostics);
    std::fputs(render(diagnostics, *program.sources).c_str(), stderr);
    if (diagnostics.has_errors()) return 2;
    AspWriter(program).write();
    return 0;
}
