// A program written inside a test, ready to be explained.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "compile/atom_names.h"
#include "compile/compile.h"
#include "explain/explainer.h"
#include "unit/read_program.h"

namespace neumann {

using Inputs = std::vector<std::pair<std::string, float>>;

class ExplainedText {
public:
    explicit ExplainedText(std::string text, ExplainOptions options = {},
                           const ReasonOptions& reasoning = max_product(), GroundMode mode = GroundMode::Relevant) {
        CompileOptions compiling;
        compiling.ground.mode = mode;
        Diagnostics diagnostics;
        ReadProgram program = read(std::move(text));
        EXPECT_FALSE(program.diagnostics.has_errors()) << rendered(program);
        EXPECT_TRUE(compile(std::move(program.program), compiling, diagnostics, loaded_))
            << render(diagnostics, *loaded_.compiled.program.sources);
        names_ = std::make_unique<AtomNames>(loaded_.compiled);
        reasoner_ = make_reasoner(loaded_.compiled.ground.graph, reasoning);
        explainer_ = std::make_unique<Explainer>(loaded_.compiled, *reasoner_, std::move(options));
    }

    static ReasonOptions max_product() {
        ReasonOptions options;
        options.semantics = semantics_named("max-product");
        return options;
    }

    CompiledProgram& compiled() { return loaded_.compiled; }
    PredicateId predicate(const std::string& name, std::size_t arity) const {
        return loaded_.compiled.program.signature.find_predicate(name, arity);
    }
    std::uint32_t number(const std::string& atom) {
        const NamedAtom& found = names_->find(atom);
        EXPECT_EQ(found.kind, NamedAtom::Kind::InGraph) << atom << " " << found.message;
        return found.atom;
    }

    // An atom of each example.
    std::vector<Explanation> explain_all(const std::string& atom, const std::vector<Inputs>& examples) {
        InputBatch::Builder inputs(examples.size());
        for (std::size_t e = 0; e < examples.size(); ++e) {
            for (const auto& [name, value] : examples[e]) inputs.add(e, number(name), value);
        }
        explainer_->run(inputs.build());
        explainer_->differentiate(std::vector<std::uint32_t>(examples.size(), number(atom)));
        std::vector<Explanation> explanations;
        for (std::size_t e = 0; e < examples.size(); ++e) explanations.push_back(explainer_->explain(e, ""));
        return explanations;
    }
    Explanation explain(const std::string& atom, const Inputs& inputs = {}) {
        return std::move(explain_all(atom, {inputs}).front());
    }

private:
    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::unique_ptr<Explainer> explainer_;
};

}  // namespace neumann
