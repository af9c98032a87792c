// Conversations: a program that grows line by line and is asked.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/conversation.h"

namespace neumann {
namespace {

TEST(Conversation, AnswersByValueTheBestFirst) {
    Conversation talk;
    EXPECT_EQ(talk.say("0.3::parent(ann,bob)."), "");
    EXPECT_EQ(talk.say("0.8::parent(ann,cid)."), "");
    EXPECT_EQ(talk.say("parent(ann,X)?"), "0.8000  parent(ann,cid)\n0.3000  parent(ann,bob)\n");
    EXPECT_EQ(talk.say("?- parent(ann,bob)."), "0.3000  parent(ann,bob)\n");
    EXPECT_FALSE(talk.has_errors());
}

TEST(Conversation, AClauseMayTakeSeveralLines) {
    Conversation talk;
    talk.say("p(a).");
    EXPECT_EQ(talk.say("q(X) :-  % of all"), "");
    EXPECT_TRUE(talk.wants_more());
    EXPECT_EQ(talk.say("  p(X)."), "");
    EXPECT_FALSE(talk.wants_more());
    EXPECT_EQ(talk.say("q(X)?"), "1.0000  q(a)\n");
}

TEST(Conversation, WhatIsWrongChangesNothing) {
    Conversation talk;
    talk.say("p(a).");
    EXPECT_NE(talk.say("q(X) :- .").find("expected a goal"), std::string::npos);
    EXPECT_TRUE(talk.has_errors());
    EXPECT_EQ(talk.program(), "p(a).\n");
    EXPECT_NE(talk.say("r(X)?").find("unknown predicate"), std::string::npos);
    EXPECT_NE(talk.say(":lst").find("did you mean ':list'"), std::string::npos);
    EXPECT_EQ(talk.say("p(X)?"), "1.0000  p(a)\n");
}

TEST(Conversation, TakesBackTheLast) {
    Conversation talk;
    talk.say("p(a).");
    talk.say("p(b).");
    EXPECT_EQ(talk.say(":undo"), "% taken back:\np(b).\n");
    EXPECT_EQ(talk.say(":list"), "p(a).\n");
    talk.say(":clear");
    EXPECT_EQ(talk.say(":undo"), "% there is nothing to take back\n");
}

TEST(Conversation, SemanticsCanBeChanged) {
    Conversation talk;
    for (const char* const line : {"0.5::a.", "0.5::b.", "c :- a.", "c :- b.", ":semantics exact"}) talk.say(line);
    EXPECT_EQ(talk.say("c?"), "0.7500  c\n");
    talk.say(":semantics max-product");
    EXPECT_EQ(talk.say("c?"), "0.5000  c\n");
    EXPECT_NE(talk.say(":semantics max").find("there is no semantics 'max'"), std::string::npos);
}

TEST(Conversation, Explains) {
    Conversation talk;
    talk.say("0.5::a.");
    talk.say("c :- a.");
    const std::string text = talk.say(":explain c");
    EXPECT_NE(text.find("Proof"), std::string::npos) << text;
    EXPECT_NE(text.find("program:1"), std::string::npos) << text;
}

TEST(Conversation, SavesAndLoads) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "neumann_conversation_test.nm";
    Conversation first;
    first.say("p(a).");
    first.say(":save " + file.string());
    Conversation second;
    second.load(file);
    EXPECT_EQ(second.say("p(X)?"), "1.0000  p(a)\n");
    std::filesystem::remove(file);
    EXPECT_THROW(second.load(file), Error);
}

TEST(Conversation, ReadsAhead) {
    Conversation talk;
    talk.read_ahead();
    EXPECT_EQ(talk.say("q(X) :- p(X)."), "");  // what comes later counts
    EXPECT_EQ(talk.say("p(a)."), "");
    EXPECT_EQ(talk.say("p(b, c)) ."), "");
    EXPECT_EQ(talk.say("r(X) :- nowhere(X)."), "");
    EXPECT_EQ(talk.say("p(d)."), "");
    EXPECT_EQ(talk.say("q(X)?"), "1.0000  q(a)\n1.0000  q(d)\n");
    const std::string errors = talk.take_errors();
    EXPECT_NE(errors.find("p(b, c)) ."), std::string::npos);
    EXPECT_NE(errors.find("nowhere/1"), std::string::npos);
    EXPECT_EQ(talk.take_errors(), "");
    EXPECT_EQ(talk.program(), "q(X) :- p(X).\np(a).\np(d).\n");
}

TEST(Conversation, QuestionsOfSeveralGoalsAreAnsweredByBindings) {
    Conversation talk;
    for (const char* const line : {"0.6::p(a).", "0.5::p(b).", "q(a,b).", "q(b,c)."}) talk.say(line);
    EXPECT_EQ(talk.say("p(X), q(X,Y)?"), "0.6000  X = a, Y = b\n0.5000  X = b, Y = c\n");
    EXPECT_EQ(talk.say("p(X), \\+ q(X,b)?"), "0.5000  X = b\n");
    EXPECT_EQ(talk.say("?- X is 2*3+1."), "1.0000  X = 7\n");
    EXPECT_EQ(talk.say("p(X), X \\= a?"), "0.5000  X = b\n");
    EXPECT_EQ(talk.say("aggregate_all(count, q(_,_), N)?"), "1.0000  N = 2\n");
    EXPECT_NE(talk.say("p(X), nowhere(X)?").find("unknown predicate 'nowhere/1'"), std::string::npos);
    EXPECT_NE(talk.say("p(X), ?").find("expected a goal"), std::string::npos);
}

TEST(Conversation, FurtherAnswersComePageByPage) {
    Conversation talk;
    for (int i = 0; i < 45; ++i) talk.say("n(" + std::to_string(i) + ").");
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    const std::string first = talk.say("n(X)?");
    EXPECT_EQ(lines(first), 21);
    EXPECT_NE(first.find("and 25 more"), std::string::npos) << first;
    EXPECT_EQ(lines(talk.say(":more")), 21);
    EXPECT_EQ(lines(talk.say(":more all")), 5);
    EXPECT_EQ(talk.say(":more"), "% there are no further answers\n");
}

TEST(Conversation, PeopleAreToldTheAdditions) {
    Conversation talk;
    talk.talk_to_people();
    EXPECT_EQ(talk.say("p(a)."), "% added: fact p(a).\n");
    EXPECT_EQ(talk.say("q(X) :- p(X)."), "% added: rule q(X) :- p(X).\n");
    EXPECT_NE(talk.say("r(X).").find("to ask instead, write r(X)?"), std::string::npos);
    EXPECT_NE(talk.say("halt.").find(":quit"), std::string::npos);
    EXPECT_EQ(talk.say("q(a)?"), "true\n");
    EXPECT_EQ(talk.say("q(X)?"), "q(a)\n");
    EXPECT_EQ(talk.say("p(b)?"), "false\n");
}

TEST(Conversation, LinesAreUtf8) {
    Conversation talk;
    EXPECT_NE(talk.say("p('\xff').").find("byte 4 of the line is not UTF-8"), std::string::npos);
    EXPECT_TRUE(talk.has_errors());
    EXPECT_EQ(talk.program(), "");
}

TEST(Conversation, CompletesNames) {
    Conversation talk;
    talk.say("parent(ann,bob).");
    EXPECT_EQ(talk.completions("pa"), std::vector<std::string>{"parent"});
    EXPECT_EQ(talk.completions("an"), std::vector<std::string>{"ann"});
    EXPECT_EQ(talk.completions(":se"), std::vector<std::string>{":semantics"});
}

}  // namespace
}  // namespace neumann
