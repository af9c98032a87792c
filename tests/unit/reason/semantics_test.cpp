// The registry of semantics, and that what is written about them is about all of them.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "app/options/reasoning_options.h"
#include "learn/task/options.h"
#include "reason/reason_error.h"
#include "reason/semantics.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

std::string page() {
    std::ifstream file(NEUMANN_SOURCE_DIR "/docs/semantics.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(SemanticsRegistry, EveryOneHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const SemanticsInfo& one : all_semantics()) {
        EXPECT_FALSE(one.name.empty());
        EXPECT_FALSE(one.summary.empty()) << one.name;
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_EQ(semantics_named(one.name), one.semantics);
        EXPECT_EQ(&info(one.semantics), &one);
    }
    try {
        semantics_named("fuzzy");
        FAIL() << "there is no such semantics";
    } catch (const ReasonError& error) {
        for (const std::string_view name : names)
            EXPECT_NE(std::string_view(error.what()).find(name), std::string_view::npos) << error.what();
    }
}

TEST(SemanticsRegistry, DefaultsAreThere) {
    EXPECT_EQ(info(default_semantics()).name, default_semantics_name);
    EXPECT_EQ(ReasonerOptions().semantics, default_semantics_name);
    EXPECT_EQ(info(LearnerOptions().learning.semantics).name, learning_semantics_name);
    EXPECT_EQ(LearnerOptions().reasoning.semantics, default_semantics());
    EXPECT_TRUE(info(semantics_named(learning_semantics_name)).for_learning);
    EXPECT_TRUE(info(semantics_named(joint_training_semantics_name)).for_learning);
}

TEST(SemanticsRegistry, LawsGoTogether) {
    for (const SemanticsInfo& one : all_semantics()) {
        SCOPED_TRACE(one.name);
        EXPECT_TRUE(!one.keeps_state || one.needs_steps) << "what is carried from step to step depends on their number";
        EXPECT_TRUE(!one.for_learning || (one.keeps_zero && !one.needs_steps));
        EXPECT_TRUE(!one.idempotent_or || !one.needs_steps);
        EXPECT_TRUE(!one.idempotent_or || one.instances_compete) << "instances are joined by the same OR";
        // A triangular norm.
        for (const double a : {0.0, 0.3, 0.5, 0.9, 1.0}) {
            EXPECT_EQ(one.both(a, 1), a);
            for (const double b : {0.0, 0.2, 0.5, 0.7, 1.0}) {
                EXPECT_DOUBLE_EQ(one.both(a, b), one.both(b, a));
                EXPECT_LE(one.both(a, b), a);
            }
        }
    }
}

// p :- q(X) and p :- q(X), q(Y) are θ-equivalent; where instances compete, and only there, they have the same value.
TEST(SemanticsRegistry, EquivalentClausesAreWorthTheSameWhereInstancesCompete) {
    const auto value = [](const std::string& clause, std::string_view semantics) {
        const Model model = Model::parse(":- type(o, [a, b]). :- neural(q(o)). :- pred(p).\n" + clause);
        ReasonerOptions options;
        options.semantics = semantics;
        options.gamma = 0.1;
        options.steps = 1;
        Reasoner reasoner(model, options);
        Batch batch(model, 1);
        for (const char* atom : {"q(a)", "q(b)"}) batch.set(0, atom, 0.9);
        return reasoner.forward(batch).value(0, *model.find_atom("p"));
    };
    for (const SemanticsInfo& one : all_semantics()) {
        const auto once = static_cast<double>(value("0.3::p :- q(X).", one.name));
        const auto twice = static_cast<double>(value("0.3::p :- q(X), q(Y).", one.name));
        EXPECT_EQ(std::abs(once - twice) < 1e-6, one.instances_compete) << one.name << ": " << once << " and " << twice;
    }
}

// docs/semantics.md has a row for each in its table of laws, and it is right.
TEST(SemanticsRegistry, ThePageHasTheLaws) {
    const std::string text = page();
    const auto yes = [](bool holds) { return holds ? "yes" : "no"; };
    for (const SemanticsInfo& one : all_semantics()) {
        const std::string row =
            fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |", one.name, yes(one.uses_gamma),
                        yes(one.keeps_zero), yes(one.idempotent_or), yes(one.instances_compete), yes(!one.needs_steps),
                        yes(one.keeps_state), yes(one.smooth), yes(one.for_learning));
        EXPECT_NE(text.find(row), std::string::npos) << "docs/semantics.md lacks the row\n" << row;
    }
}

TEST(SemanticsRegistry, HelpNamesEveryOne) {
    CLI::App command;
    app::ReasoningOptions options;
    options.add_to(command);
    const std::string help = command.help();
    for (const SemanticsSummary& one : known_semantics()) {
        EXPECT_NE(help.find(one.name), std::string::npos) << one.name << "\n" << help;
        EXPECT_NE(help.find(one.summary.substr(0, 20)), std::string::npos) << one.name << "\n" << help;
    }
}

TEST(WorldSemantics, AreKnownBesideTheOthers) {
    EXPECT_EQ(known_semantics().size(), all_semantics().size() + all_world_semantics().size());
    for (const WorldSemantics* one : all_world_semantics()) {
        SCOPED_TRACE(one->laws.name);
        EXPECT_EQ(find_world_semantics(one->laws.name), one);
        EXPECT_EQ(semantics_summary(one->laws.name).summary, one->laws.summary);
        EXPECT_FALSE(find_semantics(one->laws.name)) << "a step semantics has the same name";
    }
    EXPECT_EQ(find_world_semantics(default_semantics_name), nullptr);
    EXPECT_EQ(find_known_semantics("fuzzy"), nullptr);
    EXPECT_THROW(semantics_summary("fuzzy"), std::invalid_argument);
    EXPECT_TRUE(semantics_summary(exact_semantics_name).is_exact);
}

TEST(WorldSemantics, LawsGoTogether) {
    for (const SemanticsSummary& one : known_semantics()) {
        SCOPED_TRACE(one.name);
        EXPECT_EQ(one.takes_evidence, one.has_worlds) << "steps go forwards only";
        EXPECT_FALSE(one.is_exact && one.has_bounds) << "there is nothing between the bounds";
        if (one.has_worlds) {
            EXPECT_TRUE(one.keeps_zero);
            EXPECT_FALSE(one.uses_gamma || one.needs_steps || one.for_learning);
        } else {
            EXPECT_TRUE(one.has_gradients && one.takes_engine);
            EXPECT_FALSE(one.is_exact || one.has_bounds || one.needs_compilation || one.takes_samples || one.takes_k);
        }
    }
}

// docs/semantics.md has a row for each, and it is right.
TEST(WorldSemantics, ThePageHasTheLaws) {
    const std::string text = page();
    const auto yes = [](bool holds) { return holds ? "yes" : "no"; };
    for (const WorldSemantics* each : all_world_semantics()) {
        const SemanticsSummary& one = each->laws;
        const std::string row = fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |", one.name, yes(one.is_exact),
                                            yes(one.has_bounds), yes(one.has_gradients), yes(one.needs_compilation),
                                            yes(one.takes_engine), yes(one.takes_samples), yes(one.takes_k));
        EXPECT_NE(text.find(row), std::string::npos) << "docs/semantics.md lacks the row\n" << row;
    }
}

}  // namespace
}  // namespace neumann
