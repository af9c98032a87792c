// Small tasks of learning written inside a test: a program's text, and examples by the names of their atoms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "compile/atom_names.h"
#include "learn/evaluate/candidate_graph.h"
#include "learn/run/learn_program.h"
#include "unit/read_program.h"

namespace neumann {

struct WrittenExample {
    std::vector<std::pair<std::string, float>> atoms;
    std::vector<std::pair<std::string, bool>> targets;
};
using WrittenExamples = std::vector<WrittenExample>;

inline std::uint32_t pool_atom(Program& program, AtomPool& pool, const std::string& text) {
    Atom atom;
    const TermBounds bounds(program.signature);
    const NamedAtom named = read_ground_atom(program, bounds, text, atom);
    EXPECT_EQ(named.kind, NamedAtom::Kind::InGraph) << text << ": " << named.message;
    return pool.add(atom.predicate, atom.args);
}

inline ExampleSet example_set(Program& program, AtomPool& pool, const WrittenExamples& written) {
    ExampleSet set;
    set.file = "test.jsonl";
    std::unordered_map<std::string, std::uint32_t> known;
    const auto number = [&](const std::string& text) {
        const auto [found, is_new] = known.try_emplace(text, 0);
        if (is_new) found->second = pool_atom(program, pool, text);
        return found->second;
    };
    for (const WrittenExample& one : written) {
        LabelledExample& example = set.examples.emplace_back();
        example.line = set.examples.size();
        for (const auto& [text, value] : one.atoms) example.inputs.push_back({number(text), value});
        for (const auto& [text, truth] : one.targets) example.targets.push_back({number(text), truth});
    }
    return set;
}

inline LoadedTask learning_input(const std::string& text, const WrittenExamples& train,
                                 const WrittenExamples& validation = {}) {
    LoadedTask input;
    ReadProgram result = read_and_analyse(text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    input.program = std::move(result.program);
    input.train = example_set(input.program, input.pool, train);
    input.validation = example_set(input.program, input.pool, validation);
    return input;
}

// A grounded problem whose candidates are given by their text.
class LearningWorld {
public:
    LearningWorld(const std::string& text, const WrittenExamples& to_train, const WrittenExamples& to_validate = {},
                  std::string_view semantics = learning_semantics_name)
        : input_(learning_input(text, to_train, to_validate)), sets_{&input_.train, &input_.validation},
          problem(input_.program, input_.pool, sets_, {}, info(semantics_named(semantics)), diagnostics_),
          train(problem, input_.train), validation(problem, input_.validation),
          asked(problem.grounder().atoms().size(), false) {
        for (const Dataset* data : {&train, &validation}) {
            for (std::size_t t = 0; t < data->target_count(); ++t) {
                const std::uint32_t atom = data->target(t).atom;
                if (atom != LearningProblem::no_atom_number) asked[atom] = true;
            }
        }
    }

    // The candidate's number.
    std::uint32_t add(const std::string& clause) {
        Program& program = problem.program();
        Diagnostics diagnostics;
        add_clauses(program, "candidate", clause + "\n", diagnostics);
        EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, *program.sources);
        const Clause added = program.clauses.back();
        program.clauses.pop_back();
        return problem.add(canonical_clause(program.terms, added));
    }
    std::uint32_t atom(const std::string& text) {
        return problem.atom(pool_atom(problem.program(), input_.pool, text));
    }

private:
    LoadedTask input_;
    std::vector<const ExampleSet*> sets_;
    Diagnostics diagnostics_;

public:
    LearningProblem problem;
    Dataset train;
    Dataset validation;
    std::vector<bool> asked;
};

}  // namespace neumann
