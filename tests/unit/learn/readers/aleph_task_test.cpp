#include <fmt/format.h>

#include "learn/readers/aleph_task.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

Texts names_of(const ReadTask& read) {
    Texts names;
    for (std::size_t p = 0; p < read.task.bias.body.size(); ++p) {
        const std::string text = print({{{static_cast<std::uint16_t>(p), {0, 1}}}, 2}, read.task.bias);
        names.push_back(text.substr(text.find(":- ") + 3));
    }
    return names;
}

TEST(AlephTask, ReadsThreeFiles) {
    const ReadTask read = read_aleph({});
    EXPECT_EQ(read.task.bias.head.name, "f");
    EXPECT_EQ(names_of(read), Texts{"g(A)."});
    EXPECT_EQ(rows(read, 0), Texts{"a"});
    EXPECT_EQ(written(read, read.task.positives), Texts{"a"});
    EXPECT_EQ(written(read, read.task.negatives), Texts{"b"});
    EXPECT_FALSE(read.task.bias.recursion);
    EXPECT_TRUE(read.notes.empty());
}

TEST(AlephTask, NegativesMayBeMissing) {
    const TemporaryFolder folder;
    folder.write("t.b", AlephText().background);
    folder.write("t.f", "f(a).");
    EXPECT_TRUE(read_aleph_task(folder.path() / "t", std::make_shared<Work>()).task.negatives.empty());
}

TEST(AlephTask, ReadsSections) {
    const TemporaryFolder folder;
    folder.write("t.pl", ":- modeh(1, f(+t)).\n:- modeb(*, g(+t)).\n:- determination(f/1, g/1).\n"
                         ":- begin_bg.\ng(a). g(c).\n:- end_bg.\n:- begin_in_pos.\nf(a).\n:- end_in_pos.\n"
                         ":- begin_in_neg.\nf(b).\n:- end_in_neg.\n");
    for (const char* name : {"t", "t.pl"}) {
        const ReadTask read = read_aleph_task(folder.path() / name, std::make_shared<Work>());
        EXPECT_EQ(rows(read, 0), (Texts{"a", "c"}));
        EXPECT_EQ(written(read, read.task.positives), Texts{"a"});
        EXPECT_EQ(written(read, read.task.negatives), Texts{"b"});
    }
}

TEST(AlephTask, ModesAreTypesAndInputs) {
    const ReadTask read = read_aleph({.background = ":- modeh(1, f(+list, -item)).\n:- modeb(*, head(+list, -item)).\n"
                                                    ":- modeb(1, next(+list, -list)).\n"
                                                    ":- determination(f/2, head/2).\n:- determination(f/2, next/2).\n"
                                                    "head([X|_], X).\nnext(a, b).\n",
                                      .positives = "f([a], a).",
                                      .negatives = "f([a], b)."});
    const Bias& bias = read.task.bias;
    EXPECT_EQ(bias.head.inputs, 1U);
    EXPECT_EQ(bias.body[0].types, bias.head.types);
    EXPECT_EQ(bias.body[1].types, (Types{bias.head.types[0], bias.head.types[0]}));
    EXPECT_EQ(bias.body[0].inputs, 1U);
    EXPECT_TRUE(read.task.relations[0].on_demand());
    EXPECT_FALSE(read.task.relations[1].on_demand());
}

TEST(AlephTask, ModesOfOneTableAreOneGoal) {
    const ReadTask read =
        read_aleph({.background = ":- modeh(1, f(+t)).\n:- modeb(*, q(+t, -t)).\n:- modeb(*, q(-t, +t)).\n"
                                  ":- modeb(*, q(+t, -u)).\n:- determination(f/1, q/2).\nq(a, b).\n"});
    ASSERT_EQ(read.task.bias.body.size(), 2U);  // of other types is another goal
    EXPECT_EQ(read.task.bias.body[0].inputs, 0U);
}

TEST(AlephTask, ModeSaysBothForHeadAndBody) {
    const ReadTask read =
        read_aleph({.background = ":- mode(*, f(+t)).\n:- mode(*, g(+t)).\n:- determination(f/1, g/1).\ng(a).\n"});
    EXPECT_EQ(read.task.bias.head.name, "f");
    EXPECT_EQ(names_of(read), Texts{"g(A)."});
}

TEST(AlephTask, ConstantsMakeGoals) {
    const ReadTask read = read_aleph({.background = ":- modeh(1, f(+t)).\n:- modeb(*, color(+t, #c)).\n"
                                                    ":- modeb(1, color(+t, #c)).\n:- determination(f/1, color/2).\n"
                                                    "color(a, red). color(b, red). color(b, 'dark blue').\n"});
    EXPECT_EQ(names_of(read), (Texts{"color(A,red).", "color(A,'dark blue')."}));
    EXPECT_EQ(rows(read, 0), (Texts{"a", "b"}));
}

TEST(AlephTask, ConstantsOfTheHeadAreCompared) {
    const ReadTask read = read_aleph(
        {.background = ":- modeh(1, f(+t, #class)).\n:- modeb(*, g(+t)).\n:- determination(f/2, g/1).\ng(a).\n",
         .positives = "f(a, mammal). f(b, bird).",
         .negatives = "f(a, fish)."});
    EXPECT_EQ(names_of(read), (Texts{"g(A).", "A = mammal.", "A = bird."}));
    EXPECT_EQ(read.task.bias.head.inputs, 0U);
    EXPECT_EQ(read.task.bias.body[1].types, Types{read.task.bias.head.types[1]});
}

TEST(AlephTask, NamesMayBeQuoted) {
    const ReadTask read =
        read_aleph({.background = ":- modeh(1, 'is f'(+t)).\n:- modeb(*, 'it''s'(+t)).\n"
                                  ":- modeb(*, 'of'(+t, #c)).\n:- modeb(*, 'Size'(+t, #c)).\n"
                                  ":- determination('is f'/1, 'it''s' / 1).\n"
                                  ":- determination('is f'/1, 'Size'/2).\n'it''s'(a). 'Size'(a, 1).\n",
                    .positives = "'is f'(a).",
                    .negatives = ""});
    EXPECT_EQ(names_of(read), (Texts{"'it''s'(A).", "'Size'(A,1)."}));
    EXPECT_EQ(written(read, read.task.positives), Texts{"a"});
}

TEST(AlephTask, DeterminationsSayWhatIsUsed) {
    const std::string modes =
        ":- modeh(1, f(+t)).\n:- modeb(*, g(+t)).\n:- modeb(*, h(+t)).\n:- modeb(*, f(+t)).\ng(a). h(a).\n";
    const ReadTask all = read_aleph({.background = modes});
    EXPECT_EQ(names_of(all), (Texts{"g(A).", "h(A)."}));
    EXPECT_TRUE(notes(all, "there is no determination: every modeb is used"));
    const ReadTask some = read_aleph({.background = modes + ":- determination(f/1, h/1). :- determination(f/1, k/2)."});
    EXPECT_EQ(names_of(some), Texts{"h(A)."});
    EXPECT_TRUE(notes(some, "k/2 has no mode and is not used"));
    const ReadTask itself =
        read_aleph({.background = modes + ":- determination(f/1, h/1). :- determination(f/1, f/1)."});
    EXPECT_TRUE(itself.task.bias.recursion);
    EXPECT_EQ(names_of(itself), Texts{"h(A)."});
}

TEST(AlephTask, SettingsThatAreKeptTo) {
    const std::string background = AlephText().background;
    const Bias bias =
        read_aleph({.background = background + ":- set(clauselength, 4).\n:- aleph_set(newvars, 2)."}).task.bias;
    EXPECT_EQ(bias.most_body, 3U);
    EXPECT_EQ(bias.most_variables, 3U);
    const ReadTask large =
        read_aleph({.background = background + ":- set(clauselength, 4000000000). :- set(newvars, 99)."});
    EXPECT_EQ(large.task.bias.most_body, longest_body);
    EXPECT_EQ(large.task.bias.most_variables, most_variables);
    EXPECT_TRUE(notes(large, "set(clauselength,4000000000) becomes 25"));
}

TEST(AlephTask, WhatIsNotKeptToIsNoted) {
    const ReadTask read =
        read_aleph({.background = AlephText().background +
                                  ":- set(i, 2).\n:- set(noise, 5).\n:- modeb(3, g(+t)).\n:- use_module(l).\n"
                                  ":- modeh(1, h(+t)).\n:- aleph.\nk(a) :- !.\n"});
    EXPECT_TRUE(notes(read, "task.b: set(i,2) is not kept to"));
    EXPECT_TRUE(notes(read, "task.b: set(noise,5) is not kept to: what a clause may get wrong"));
    EXPECT_TRUE(notes(read, "task.b: the recalls of modes are not kept to"));
    EXPECT_TRUE(notes(read, "task.b: ':- use_module' is not known and left out"));
    EXPECT_TRUE(notes(read, "task.b: of several modeh the first is learned: f/1"));
    EXPECT_EQ(read.notes.size(), 5U);
}

TEST(AlephTask, UnknownDirectivesAreErrors) {
    const AlephText text{.background = AlephText().background + ":- foo(1).\n"};
    const std::string refused = aleph_refusal(text);
    EXPECT_NE(refused.find("task.b:5"), std::string::npos) << refused;
    EXPECT_NE(refused.find("unknown directive ':- foo'"), std::string::npos) << refused;
}

TEST(AlephTask, OtherLabelsAreNoted) {
    const ReadTask read = read_aleph({.positives = "f(a). h(a). f(b) :- g(b).", .negatives = "f(a, b)."});
    EXPECT_EQ(written(read, read.task.positives), Texts{"a"});
    EXPECT_TRUE(notes(read, "task.f: 'h(a)'"));
    EXPECT_TRUE(notes(read, "task.f: 'f(b)'"));
    EXPECT_TRUE(notes(read, "task.n: 'f(a,b)'"));
    const std::string refusal = aleph_refusal({.positives = "f(X)."});
    EXPECT_TRUE(refusal.starts_with("task.f:1:1-5: error: the example f(_1) has variables")) << refusal;
}

TEST(AlephTask, MistakesHaveAPlace) {
    const auto of = [](const std::string& directive) {
        const std::string text = aleph_refusal({.background = "% modes\n:- modeh(1, f(+t)).\n" + directive});
        return text.substr(0, text.find(" [syntax]"));
    };
    EXPECT_EQ(of(":- modeb(q(+t))."), "task.b:3:1-16: error: 'modeb' has two arguments: a recall and an atom");
    EXPECT_EQ(of(":- modeb(1, q(t))."), "task.b:3:1-18: error: 't' in a mode: expected '+', '-' or '#' and a type");
    EXPECT_EQ(of(":- modeb(1, q(+t,+s(u)))."),
              "task.b:3:1-25: error: '+s(u)' in a mode: expected '+', '-' or '#' and a type");
    EXPECT_EQ(of(":- determination(f/1)."), "task.b:3:1-22: error: 'determination' has two arguments");
    EXPECT_EQ(of(":- set(newvars)."), "task.b:3:1-16: error: 'set' has two arguments");
    for (const char* wrong : {"0", "-1", "few", "1.5", "99999999999"})
        EXPECT_TRUE(of(fmt::format(":- set(clauselength, {}).", wrong))
                        .ends_with(fmt::format("set(clauselength,{}): expected a whole number from 1 on", wrong)));
    EXPECT_NE(of(":- modeb(1, q(+t,+t,+t,+t,+t,+t,+t,+t,+t)).").find("q/9 has more than 8 arguments"),
              std::string::npos);
    EXPECT_TRUE(aleph_refusal({.positives = "f(a).\nf(b."}).starts_with("task.f:2:"));
}

TEST(AlephTask, FilesAndHeadsThatAreMissing) {
    const TemporaryFolder folder;
    folder.write("b.b", "g(a).");
    folder.write("s.pl", ":- modeh(1, f(+t)).\nf(a).");
    EXPECT_TRUE(refusal([&] {
                    return read_aleph_task(folder.path() / "none", std::make_shared<Work>());
                }).starts_with("none: error: there is no task of Aleph"));
    EXPECT_TRUE(refusal([&] {
                    return read_aleph_task(folder.path() / "b", std::make_shared<Work>());
                }).starts_with("b.f: error: no such file"));
    EXPECT_EQ(refusal([&] { return read_aleph_task(folder.path() / "s", std::make_shared<Work>()); }),
              "s.pl: error: there is no section ':- begin_in_pos.' with positive examples");
    EXPECT_EQ(aleph_refusal({.background = "g(a)."}),
              "task.b: error: nothing to learn: ':- modeh(1, p(+type)).' is missing");
}

}  // namespace
}  // namespace neumann::search
