#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "page/page_requests.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using Json = nlohmann::json;

constexpr const char* wet = "0.7::rain.\n0.8::sprinkler.\nwet :- rain.\n0.5::wet :- sprinkler.\n:- query(wet).\n";

// Requests are answered in a folder of their own.
class PageRequestsTest : public testing::Test {
protected:
    PageRequestsTest() : before_(std::filesystem::current_path()) { std::filesystem::current_path(folder_.path()); }
    ~PageRequestsTest() override { std::filesystem::current_path(before_); }

    Json ask(const Json& request) {
        return Json::parse(
            requests_.answer(request.dump(), [&](const std::string& news) { told_.push_back(Json::parse(news)); }));
    }

    TemporaryFolder folder_;
    std::filesystem::path before_;
    PageRequests requests_;
    std::vector<Json> told_;
};

TEST_F(PageRequestsTest, AProgramIsChecked) {
    const Json good = ask({{"do", "check"}, {"program", wet}});
    EXPECT_TRUE(good["good"]) << good;
    EXPECT_EQ(good["predicates"].size(), 3U);
    const Json bad = ask({{"do", "check"}, {"program", "p.\nq :- p r.\n"}});
    EXPECT_FALSE(bad["good"]);
    EXPECT_EQ(bad["problems"][0]["place"]["line"], 2);
    EXPECT_EQ(bad["problems"][0]["place"]["file"], "program.nm");
}

TEST_F(PageRequestsTest, AnswersComeWithGradientsAndInputs) {
    const Json answer =
        ask({{"do", "reason"}, {"program", wet}, {"semantics", "noisy-or"}, {"gradients", true}, {"history", true}});
    ASSERT_TRUE(answer.contains("examples")) << answer;
    EXPECT_NEAR(answer["examples"][0]["values"]["wet"], 1 - 0.3 * 0.6, 1e-6);
    EXPECT_NEAR(answer["examples"][0]["gradients"]["wet"]["inputs"]["rain"], 0.6, 1e-6);
    EXPECT_NEAR(answer["inputs"]["rain"], 0.7, 1e-6);
    EXPECT_EQ(answer["queries"], Json({"wet"}));
    EXPECT_EQ(answer["clauses"][1]["weight"], 0.5);
}

TEST_F(PageRequestsTest, GivenValuesAndWeightsReplaceThoseOfTheProgram) {
    const Json answer = ask({{"do", "reason"},
                             {"program", wet},
                             {"semantics", "noisy-or"},
                             {"given", {{"rain", 0.2}}},
                             {"weights", {1, 0}}});
    ASSERT_TRUE(answer.contains("examples")) << answer;
    EXPECT_NEAR(answer["examples"][0]["values"]["wet"], 0.2, 1e-6);
    // What is remembered of one request does not change the next.
    const Json as_it_was = ask({{"do", "reason"}, {"program", wet}, {"semantics", "noisy-or"}});
    EXPECT_NEAR(as_it_was["examples"][0]["values"]["wet"], 1 - 0.3 * 0.6, 1e-6);
}

TEST_F(PageRequestsTest, SemanticsWithWorldsHaveBoundsAndNoSteps) {
    const Json answer = ask({{"do", "reason"}, {"program", wet}, {"semantics", "topk"}, {"history", true}});
    ASSERT_TRUE(answer.contains("examples")) << answer;
    EXPECT_LE(answer["examples"][0]["low"]["wet"], answer["examples"][0]["high"]["wet"]);
    EXPECT_FALSE(answer["examples"][0].contains("history"));
}

TEST_F(PageRequestsTest, TablesComeWithTheProgram) {
    const Json answer =
        ask({{"do", "reason"},
             {"program", ":- facts(edge/2, 'edges.csv').\npath(X,Y) :- edge(X,Y).\n:- query(path(a,X)).\n"},
             {"files", {{"edges.csv", "a,b\nb,c\n"}}}});
    ASSERT_TRUE(answer.contains("examples")) << answer;
    EXPECT_EQ(answer["examples"][0]["values"]["path(a,b)"], 1);
}

TEST_F(PageRequestsTest, AGraphHasAValueForEveryAtom) {
    const Json answer = ask({{"do", "graph"}, {"program", wet}});
    ASSERT_TRUE(answer.contains("graph")) << answer;
    EXPECT_EQ(answer["graph"]["atoms"].size(), answer["values"].size());
    EXPECT_EQ(ask({{"do", "ground"}, {"program", wet}})["clauses"], 2);
}

TEST_F(PageRequestsTest, ExplanationsAreJsonTextAndAPage) {
    const Json answer =
        ask({{"do", "explain"}, {"program", wet}, {"atoms", {"wet"}}, {"html", true}, {"given", {{"rain", 0.9}}}});
    ASSERT_EQ(answer["explanations"].size(), 1U) << answer;
    EXPECT_NE(answer["explanations"][0]["text"].get<std::string>().find("rain"), std::string::npos);
    EXPECT_NE(answer["html"].get<std::string>().find("</html>"), std::string::npos);
}

TEST_F(PageRequestsTest, ScenesAreGeneratedAndDrawn) {
    const Json made = ask({{"do", "generate"}, {"dataset", "kandinsky"}, {"pattern", "closeby"}, {"count", 2}});
    ASSERT_EQ(made["examples"].size(), 2U) << made;
    const Json drawn = ask({{"do", "draw"},
                            {"dataset", "kandinsky"},
                            {"pattern", "closeby"},
                            {"count", 2},
                            {"image", made["examples"][0]["images"][0]},
                            {"width", 64}});
    EXPECT_EQ(drawn["png"].get<std::string>().substr(0, 8), "iVBORw0K") << drawn;
}

TEST_F(PageRequestsTest, LearningTellsWhatGoesOn) {
    const Json answer =
        ask({{"do", "learn"},
             {"program", ":- type(thing, [a, b, c]).\n:- neural(red(thing)).\n:- neural(round(thing)).\n"
                         ":- modeh(1, good(+thing)).\n:- modeb(1, red(+thing)).\n"
                         ":- modeb(1, round(+thing)).\n:- pred(good(thing)).\n:- learn(good/1, 1).\n"},
             {"train", "{\"atoms\": {\"red(a)\": 1, \"round(b)\": 1, \"red(c)\": 1, \"round(c)\": 1}, "
                       "\"targets\": {\"good(a)\": 1, \"good(b)\": 0, \"good(c)\": 1}}\n"}});
    ASSERT_TRUE(answer.contains("clauses")) << answer;
    EXPECT_EQ(answer["clauses"][0]["text"], "good(X) :- red(X).");
    EXPECT_FALSE(told_.empty());
}

TEST_F(PageRequestsTest, WhatIsWrongIsTold) {
    EXPECT_TRUE(Json::parse(requests_.answer("no JSON")).contains("error"));
    EXPECT_TRUE(ask({{"do", "dance"}}).contains("error"));
    EXPECT_TRUE(ask({{"do", "reason"}}).contains("error"));
    EXPECT_TRUE(ask({{"do", "reason"}, {"program", 3}}).contains("error"));
    EXPECT_TRUE(ask({{"do", "reason"}, {"program", wet}, {"semantics", "no such"}}).contains("error"));
    EXPECT_TRUE(ask({{"do", "reason"}, {"program", wet}, {"semantics", "paper"}}).contains("error"));
    const Json bad = ask({{"do", "reason"}, {"program", "p :- q("}});
    EXPECT_FALSE(bad["problems"].empty()) << bad;
}

TEST_F(PageRequestsTest, FilesStayInTheFolder) {
    for (const char* name : {"../outside.csv", "/tmp/outside.csv", "a/b.csv", ".hidden", "", "..", "a\\b"})
        EXPECT_TRUE(ask({{"do", "check"}, {"program", wet}, {"files", {{name, "x"}}}}).contains("error")) << name;
    EXPECT_TRUE(ask({{"do", "check"}, {"program", wet}, {"name", "../program.nm"}}).contains("error"));
    EXPECT_TRUE(ask({{"do", "check"}, {"program", wet}, {"files", {{"a.csv", 3}}}}).contains("error"));
}

}  // namespace
}  // namespace neumann
