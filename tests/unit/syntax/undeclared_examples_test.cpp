// Every example without the declarations that inference can do without: the same ground clauses.
#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/example_files.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// The constants that facts, clauses, queries and labels name: those that an open type keeps.
std::set<ConstantId> used_constants(const Program& program) {
    std::set<ConstantId> used;
    const auto visit = [&](const auto& self, TermId term) -> void {
        if (program.terms.kind(term) == TermKind::Constant) used.insert(program.terms.constant_of(term));
        for (TermId arg : program.terms.args(term)) self(self, arg);
    };
    const auto visit_all = [&](std::span<const TermId> terms) {
        for (TermId term : terms) visit(visit, term);
    };
    for (std::size_t i = 0; i < program.facts.size(); ++i) visit_all(program.facts[i].args);
    for (const Clause& clause : program.clauses) {
        visit_all(clause.head.args);
        for (const Literal& goal : clause.body) visit_all(goal.atom.args);
    }
    for (const Query& query : program.queries) visit_all(query.atom.args);
    for (const Atom& label : program.labels) visit_all(label.args);
    return used;
}

bool is_bounded(const TypeDecl& type) { return type.max_depth || type.max_length || type.no_repeats; }

std::string removed(const std::string& text, const std::string& directive, const std::string& instead = {}) {
    return std::regex_replace(text, std::regex(":- " + directive + "\\.(?=\\s)"), instead);
}

// With `bounds`, predicates over bounded types stay declared: nothing else says that the bound is meant for them.
std::string without_declarations(const Program& program, std::string text, bool bounds) {
    const Signature& signature = program.signature;
    const std::set<ConstantId> used = used_constants(program);
    for (const TypeDecl& type : signature.types()) {
        if (!std::ranges::all_of(type.constants, [&](ConstantId c) { return used.contains(c); })) continue;
        text =
            removed(text, "type\\(" + type.name + "\\b.*?\\)", is_bounded(type) ? ":- type(" + type.name + ")." : "");
        for (FunctorId f : type.functors) text = removed(text, "functor\\(" + signature.functor(f).name + "\\(.*?\\)");
    }
    for (const PredicateDecl& predicate : signature.predicates()) {
        const bool bounded =
            std::ranges::any_of(predicate.args, [&](TypeId t) { return is_bounded(signature.type(t)); });
        if (!bounds || !bounded) text = removed(text, "pred\\(" + predicate.name + "(\\(.*?)?\\)");
    }
    return text;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
    for (std::string& text : texts) {  // bodies are sets, ordered by the numbers of their atoms
        const std::size_t neck = text.find(" :- ");
        if (neck == std::string::npos) continue;
        std::set<std::string> goals;
        for (std::size_t begin = neck + 4; begin < text.size();) {
            const std::size_t end = std::min(text.find(", ", begin), text.size());
            goals.insert(text.substr(begin, end - begin));
            begin = end + 2;
        }
        text = fmt::format("{} :- {}", text.substr(0, neck), fmt::join(goals, ", "));
    }
    std::ranges::sort(texts);
    return texts;
}

class UndeclaredExample : public ::testing::TestWithParam<std::string> {};

TEST_P(UndeclaredExample, GroundsToTheSameClauses) {
    Diagnostics diagnostics;
    const std::filesystem::path path = example_folder() / GetParam();
    Program declared = load_program(path, {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << render(diagnostics, *declared.sources);
    const std::string whole(declared.sources->file(0).text());
    if (whole.find(":- facts(") != std::string::npos) GTEST_SKIP() << "reads files beside it";
    ReadProgram inferred = read_and_analyse(without_declarations(declared, whole, false));
    const std::string lost = problems(inferred);  // with a declaration the bound of its type, or the type's name
    if (lost.find("unbounded-type") != std::string::npos || lost.find("unknown-type") != std::string::npos)
        inferred = read_and_analyse(without_declarations(declared, whole, true));
    ASSERT_FALSE(inferred.diagnostics.has_errors()) << rendered(inferred);
    const GroundedText first = ground_program(std::move(declared));
    const GroundedText second = ground_program(std::move(inferred.program));
    EXPECT_EQ(sorted(atom_texts(first)), sorted(atom_texts(second)));
    EXPECT_EQ(sorted(clause_texts(first)), sorted(clause_texts(second)));
}

INSTANTIATE_TEST_SUITE_P(Files, UndeclaredExample, ::testing::ValuesIn(example_files()), example_test_name);

}  // namespace
}  // namespace neumann
