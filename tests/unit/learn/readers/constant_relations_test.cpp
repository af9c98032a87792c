#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/source.h"
#include "learn/readers/constant_relations.h"
#include "resolution/rule_reader.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

TEST(ConstantRelations, EachChoiceIsARelationOfTheRest) {
    const auto background = background_of("size(a,1,x). size(b,1,y). size(c,2,x).");
    const Predicate size{"size", {1, 2, 3}, 5, {}};
    std::string described;
    const std::vector<ConstantRelation> made = constant_relations(background, size, 2, described);
    ASSERT_EQ(made.size(), 2U);  // the more frequent one first
    EXPECT_EQ(made[0].predicate.pattern, (Texts{"size(", ",1,", ")"}));
    EXPECT_EQ(made[0].predicate.types, (Types{1, 3}));
    EXPECT_EQ(made[0].predicate.inputs, 3U);
    EXPECT_EQ(made[0].relation.size(), 2U);
    EXPECT_EQ(made[1].relation.size(), 1U);
    EXPECT_EQ(described, "");
}

TEST(ConstantRelations, OfManyChoicesTheMostFrequentAreUsed) {
    std::string facts = "size(a,7).\n";
    for (int i = 0; i < 250; ++i) facts += fmt::format("size(b,{}).\n", i);
    std::string described;
    const auto background = background_of(facts);
    const std::vector<ConstantRelation> made = constant_relations(background, {"size", {1, 2}, 1, {}}, 2, described);
    EXPECT_EQ(made.size(), 200U);
    EXPECT_EQ(made[0].predicate.pattern, (Texts{"size(", ",7)"}));
    EXPECT_EQ(described, "size/2 has 250 choices of constants: the 200 most frequent are used");
}

TEST(ConstantRelations, OfWhatHasNoTableThereAreNone) {
    const auto background = background_of("longer(X, s(X)).");
    std::string described;
    EXPECT_TRUE(constant_relations(background, {"longer", {1, 2}, 1, {}}, 2, described).empty());
    EXPECT_EQ(described, "longer/2 has no finite table, so that its constants are not known: it is not used");
}

TEST(ConstantRelations, EqualityHoldsOfOneValue) {
    const auto background = background_of("p('a b').");
    const resolution::Term value = background->rules.terms.constant("a b");
    const auto [predicate, relation, constants] = equality_relation(*background, 4, value);
    EXPECT_EQ(predicate.pattern, (Texts{"", " = 'a b'"}));
    EXPECT_EQ(predicate.types, Types{4});
    EXPECT_EQ(relation.size(), 1U);
    EXPECT_EQ(relation.row(0)[0], value);
    EXPECT_EQ(constants, std::vector<Value>{value});
}

}  // namespace
}  // namespace neumann::search
