#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "syntax/csv.h"

namespace neumann::syntax {
namespace {

// Records as lines, fields between bars.
std::string records(std::string_view text, char separator = ',') {
    CsvReader reader(text, separator);
    std::vector<CsvField> fields;
    std::string out;
    while (reader.next(fields)) {
        for (std::size_t i = 0; i < fields.size(); ++i) out += (i == 0 ? "" : "|") + std::string(fields[i].text);
        out += '\n';
    }
    if (reader.mistake()) out += fmt::format("{}: {}", reader.mistake()->begin, reader.mistake()->message);
    return out;
}

TEST(Csv, RecordsAndFields) {
    EXPECT_EQ(records("a,b\nc,d\n"), "a|b\nc|d\n");
    EXPECT_EQ(records("a,b\r\nc,d"), "a|b\nc|d\n");
    EXPECT_EQ(records("a\tb,c\n", '\t'), "a|b,c\n");
    EXPECT_EQ(records(""), "");
    EXPECT_EQ(records("\n\na\n\r\n\nb\n\n"), "a\nb\n");
}

TEST(Csv, EmptyFieldsCount) {
    EXPECT_EQ(records(",\n"), "|\n");
    EXPECT_EQ(records("a,\n"), "a|\n");
    EXPECT_EQ(records("\"\"\n"), "\n");
    EXPECT_EQ(records("a,"), "a|\n");
}

TEST(Csv, BlanksArePartOfAField) { EXPECT_EQ(records(" a , b\n"), " a | b\n"); }

TEST(Csv, QuotedFieldsHoldAnything) {
    EXPECT_EQ(records("\"a,b\",\"c\nd\"\n"), "a,b|c\nd\n");
    EXPECT_EQ(records("\"say \"\"hi\"\"\",x\n"), "say \"hi\"|x\n");
    EXPECT_EQ(records("\"\"\"\"\n"), "\"\n");
    EXPECT_EQ(records("5\" disk\n"), "5\" disk\n");  // a quote inside a field that does not begin with one
    EXPECT_EQ(records("a\rb,c\n"), "a\rb|c\n");      // a carriage return alone is no end of a line
}

TEST(Csv, MistakesHaveAPlace) {
    EXPECT_EQ(records("a,b\n\"c,d\n"), "a|b\n4: this quote is never closed");
    EXPECT_EQ(records("\"a\"b,c\n"), "3: text behind a quoted field");
}

}  // namespace
}  // namespace neumann::syntax
