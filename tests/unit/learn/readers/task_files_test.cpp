#include "learn/readers/task_files.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

TEST(TaskFiles, TextsStandForFiles) {
    TaskFiles files(TaskFiles::Texts{{"there", "p(a)."}});
    EXPECT_TRUE(files.has("there"));
    EXPECT_FALSE(files.has("not there"));
    EXPECT_EQ(files.text(files.load("there")), "p(a).");
    EXPECT_THROW(files.load("not there"), TaskError);
}

TEST(TaskFiles, NotesAreMadeOnce) {
    TaskFiles files;
    files.note("a.pl: one");
    files.note("b.pl: two");
    files.note("a.pl: one");
    EXPECT_EQ(files.notes_text("folder/a.pl"), "\n    = a.pl: one");
    EXPECT_EQ(files.take_notes(), (Texts{"a.pl: one", "b.pl: two"}));
}

TEST(TaskFiles, ClausesThatCannotBeReadAreErrors) {
    TaskFiles files;
    resolution::Rules rules;
    files.read_into(rules, "some/bk.pl", "p(a).\np(b).");
    EXPECT_EQ(rules.rules.size(), 2U);
    EXPECT_THROW(files.read_into(rules, "bk.pl", "p(a).\np(b\n. p(c)."), TaskError);
    EXPECT_THROW(files.read_into(rules, "bk.pl", "p("), TaskError);
}

TEST(TaskFiles, ErrorsHaveAPlaceAndAdvice) {
    TaskFiles files(TaskFiles::Texts{{"f", "one\ntwo\n"}});
    const std::uint32_t file = files.load("f");
    const std::string text = refusal([&]() -> ReadTask { files.fail({file, 4, 7}, "this is wrong", "do that"); });
    EXPECT_EQ(text, "f:2:1-3: error: this is wrong [syntax]\n  2 | two\n    | ^^^\n    = do that");
}

TEST(TaskFiles, NamesAreQuotedWhereTheyHaveTo) {
    Predicate plain{"p", {0}, 0, {}};
    quote(plain);
    EXPECT_TRUE(plain.pattern.empty());
    Predicate spaced{"a b", {0, 0}, 0, {}};
    quote(spaced);
    EXPECT_EQ(spaced.pattern, (Texts{"'a b'(", ",", ")"}));
    Predicate alone{"A", {}, 0, {}};
    quote(alone);
    EXPECT_EQ(alone.pattern, Texts{"'A'"});
}

}  // namespace
}  // namespace neumann::search
