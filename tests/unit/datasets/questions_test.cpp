#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "datasets/questions.h"
#include "unit/scene_text.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const QuestionSet& full_set() {
    static const QuestionSet set = make_questions({.seed = 11, .threads = 2});
    return set;
}

// The answer once more: a deque of objects, worked on as a person would with things on a table. Nothing is shared with
// the code under test but the scene and the words of the question.
std::string answer_on_the_table(const Scene& scene, const std::string& operation, const std::string& color, int place) {
    std::deque<SceneObject> table;
    for (const SceneObject& object : scene.objects) {  // insertion by y: y grows to the right
        auto at = table.begin();
        while (at != table.end() && at->position[1] < object.position[1]) ++at;
        table.insert(at, object);
    }
    if (operation == "delete") {
        std::deque<SceneObject> rest;
        for (const SceneObject& object : table) {
            if (object.color != color) rest.push_back(object);
        }
        if (rest.size() + 1 != table.size()) return "nothing to delete";
        table = rest;
    } else if (operation == "append") {
        for (const SceneObject& object : table) {
            if (object.color == color) return "there already";
        }
        table.emplace_front();
        table.front().color = color;
    } else if (operation == "reverse") {
        std::deque<SceneObject> other;
        for (const SceneObject& object : table) other.push_front(object);
        table = other;
    } else {  // repeatedly exchange neighbours
        for (std::size_t pass = 0; pass < table.size(); ++pass) {
            for (std::size_t i = 1; i < table.size(); ++i) {
                if (table[i].color[0] < table[i - 1].color[0]) std::swap(table[i], table[i - 1]);
            }
        }
    }
    return place < static_cast<int>(table.size()) ? table[static_cast<std::size_t>(place)].color : "past the end";
}

TEST(Questions, AllFortyThousandAnswersAreRight) {
    const QuestionSet& set = full_set();
    ASSERT_EQ(set.questions.size(), 40'000U);
    std::map<std::string, std::size_t> counts;
    std::size_t right = 0;
    for (const Question& question : set.questions) {
        const std::string operation(operation_name(question.operation));
        ++counts[operation];
        right += answer_on_the_table(set.scenes[question.scene], operation, question.color,
                                     static_cast<int>(question.place)) == question.answer
                     ? 1
                     : 0;
    }
    EXPECT_EQ(right, 40'000U);
    EXPECT_EQ(counts, (std::map<std::string, std::size_t>{
                          {"append", 10'000}, {"delete", 10'000}, {"reverse", 10'000}, {"sort", 10'000}}));
}

TEST(Questions, EachSceneIsAskedOnceForEachOfItsOperations) {
    const QuestionSet& set = full_set();
    std::set<std::pair<std::uint32_t, RowOperation>> asked;
    for (const Question& question : set.questions) {
        EXPECT_TRUE(asked.emplace(question.scene, question.operation).second);
        EXPECT_EQ(set.scenes[question.scene].objects.size(), question.operation == RowOperation::Append ? 2U : 3U);
    }
    EXPECT_EQ(asked.size(), 40'000U);
}

TEST(Questions, OperationsColorsPlacesAndAnswersAreMixed) {
    const QuestionSet& set = full_set();
    std::map<RowOperation, std::size_t> first;
    std::map<std::pair<RowOperation, std::string>, std::size_t> answers;
    std::map<std::pair<RowOperation, std::uint32_t>, std::size_t> places;
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        const Question& question = set.questions[i];
        if (i < 4000) ++first[question.operation];
        ++answers[{question.operation, question.answer}];
        ++places[{question.operation, question.place}];
    }
    for (const RowOperation operation : question_operations) {
        EXPECT_NEAR(static_cast<double>(first[operation]), 1000, 150);
        for (const char* color : {"cyan", "gray", "red", "yellow"}) {
            EXPECT_NEAR(static_cast<double>(answers[{operation, color}]), 2500, 250);
        }
        const unsigned length = operation == RowOperation::Delete ? 2 : 3;
        for (unsigned place = 0; place < length; ++place) {
            EXPECT_NEAR(static_cast<double>(places[{operation, place}]), 10'000.0 / length, 400);
        }
    }
}

TEST(Questions, ScenesHaveNoRepeatedColorAndFourColorsInAll) {
    std::set<std::string> colors;
    std::map<std::string, std::size_t> looks;
    for (const Scene& scene : full_set().scenes) {
        std::set<std::string> own;
        for (const SceneObject& object : scene.objects) {
            own.insert(object.color);
            EXPECT_EQ(object.size, "large");
            ++looks[object.shape + object.material];
        }
        EXPECT_EQ(own.size(), scene.objects.size());
        colors.insert(own.begin(), own.end());
    }
    EXPECT_EQ(colors, (std::set<std::string>{"cyan", "gray", "red", "yellow"}));
    ASSERT_EQ(looks.size(), 6U);
    for (const auto& [look, count] : looks) EXPECT_NEAR(static_cast<double>(count), 50'000 / 6.0, 400) << look;
}

TEST(Questions, NoSceneOccursTwiceInAnySplit) {
    std::set<std::string> texts;
    std::size_t count = 0;
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        for (const Scene& scene : make_questions({.seed = 11, .split = split, .per_operation = 2000}).scenes) {
            texts.insert(text_of(scene));
            ++count;
        }
    }
    EXPECT_EQ(texts.size(), count);
}

TEST(Questions, AreTheSameForAnyNumberOfThreads) {
    const QuestionSet one = make_questions({.seed = 11, .threads = 1});
    const QuestionSet& two = full_set();
    EXPECT_EQ(questions_json(one), questions_json(two));
    for (std::size_t i = 0; i < one.scenes.size(); ++i) EXPECT_EQ(text_of(one.scenes[i]), text_of(two.scenes[i]));
}

TEST(Questions, HaveQueryAtoms) {
    EXPECT_EQ(query_atom({RowOperation::Delete, "cyan", 1, "red", 0}), "query3(q,q_delete,cyan,2nd)");
    EXPECT_EQ(query_atom({RowOperation::Append, "red", 2, "red", 0}), "query3(q,q_append,red,3rd)");
    EXPECT_EQ(query_atom({RowOperation::Reverse, "", 0, "red", 0}), "query2(q,q_reverse,1st)");
    EXPECT_EQ(query_atom({RowOperation::Sort, "", 1, "red", 0}), "query2(q,q_sort,2nd)");
}

TEST(Questions, RoundTripInBothForms) {
    const TemporaryFolder folder;
    const QuestionSet set = make_questions({.split = Split::Val, .per_operation = 50});
    const std::string text = questions_json(set);
    EXPECT_NE(text.find(R"json("program": "query3(delete,)json"), std::string::npos);
    EXPECT_NE(text.find(R"json("program": "query2(sort,)json"), std::string::npos);
    for (const std::string& written : {text, questions_json_lines(set)}) {
        const std::vector<ReadQuestion> read = read_questions(folder.write("q.json", written));
        ASSERT_EQ(read.size(), set.questions.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            const Question& a = set.questions[i];
            const Question& b = read[i].question;
            EXPECT_EQ(query_atom(a), query_atom(b));
            EXPECT_EQ(a.answer, b.answer);
            EXPECT_EQ(a.scene, b.scene);
            EXPECT_EQ(read[i].image, set.scenes[a.scene].image);
        }
    }
}

std::string refused(const std::string& entry) {
    const TemporaryFolder folder;
    const auto path = folder.write("q.json", R"({"questions": [)" + entry + "]}");
    try {
        read_questions(path);
    } catch (const SceneError& error) {
        return std::string(error.what()).substr(path.string().size() + 2);
    }
    return "accepted";
}

TEST(Questions, AreRefusedWithTheirPlace) {
    const std::string rest = R"(, "answer": "red", "image_filename": "a.png"})";
    EXPECT_EQ(refused(R"({"question": ["sort", "2nd"])" + rest), "accepted");
    EXPECT_EQ(refused(R"({"question": ["delete", "gray", "2nd"])" + rest), "accepted");
    EXPECT_EQ(refused(R"({"question": ["sort", "red", "2nd"])" + rest),
              "questions[0].question: 3 words; 2 are expected");
    EXPECT_EQ(refused(R"({"question": ["delete", "2nd"])" + rest), "questions[0].question: 2 words; 3 are expected");
    EXPECT_EQ(refused(R"({"question": ["delet", "red", "2nd"])" + rest),
              "questions[0].question[0]: unknown word 'delet'; did you mean 'delete'?");
    EXPECT_EQ(refused(R"({"question": ["delete", "blue", "2nd"])" + rest),
              "questions[0].question[1]: unknown word 'blue'; known are cyan, gray, red, yellow");
    EXPECT_EQ(refused(R"({"question": ["sort", "4th"])" + rest),
              "questions[0].question[1]: unknown word '4th'; known are 1st, 2nd, 3rd");
    EXPECT_EQ(refused(R"({"question": ["sort", "1st"], "answer": "red"})"),
              "questions[0]: there is no 'image_filename'");
    EXPECT_EQ(refused(R"({"answer": "red"})"), "questions[0]: there is no 'question'");
}

}  // namespace
}  // namespace neumann
