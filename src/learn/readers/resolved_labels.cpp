#include "learn/readers/resolved_labels.h"

#include <memory>
#include <stdexcept>

#include "learn/task/learn_error.h"
#include "resolution/rule_reader.h"

namespace neumann::search {
namespace {

constexpr std::size_t steps_of_label = 200'000;

}  // namespace

std::vector<float> resolved_values(const Background& background, const std::string& clauses, const Predicate& head,
                                   const std::vector<std::vector<Value>>& tuples) {
    Background whole = background;
    whole.work = std::make_shared<Work>();
    SourceSet sources;
    Diagnostics diagnostics;
    resolution::read_rules(sources, sources.add("<learned>", clauses), whole.rules, diagnostics,
                           resolution::RuleLanguage::Prolog);
    if (diagnostics.has_errors())
        throw LearnError("the learned clauses cannot be run: " + render(diagnostics, sources));
    std::vector<float> values;
    for (const std::vector<Value>& tuple : tuples) {
        const BackgroundAnswers answers = whole.answers(whole.rules.terms.compound(head.name, tuple), steps_of_label);
        values.push_back(answers.atoms.empty() ? 0.0F : 1.0F);
    }
    return values;
}

}  // namespace neumann::search
