#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "syntax/fact_table.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

class FactTables : public testing::Test {
protected:
    // The facts of a program in the folder, as they are printed.
    std::string facts(const std::string& text, const LoadOptions& options = {}) const {
        ReadProgram result;
        result.program = parse_program((folder_.path() / "program.nm").string(), text, options, result.diagnostics);
        if (result.diagnostics.has_errors()) return rendered(result);
        std::string out;
        for (std::size_t i = 0; i < result.program.facts.size(); ++i) {
            const FactList::Fact fact = result.program.facts[i];
            out += fact.probability == 1 ? "" : fmt::format("{}::", fact.probability);
            out += print_atom(result.program.signature, result.program.terms, fact.predicate, fact.args) + " ";
        }
        return out;
    }
    TemporaryFolder folder_;
};

TEST_F(FactTables, ARecordIsAFact) {
    folder_.write("edges.csv", "a,b\r\n\"b c\",\"say \"\"d\"\"\"\r\n");
    EXPECT_EQ(facts(":- facts(edge/2, 'edges.csv')."), "edge(a,b) edge('b c','say \"d\"') ");
}

TEST_F(FactTables, ColumnsByNameAndNumber) {
    folder_.write("people.tsv", "name\tyear\tp\nann\t1990\t0.5\nbob\t1991\t1\n");
    EXPECT_EQ(facts(":- facts(born/2, 'people.tsv', [columns([year, name]), probability(p)])."),
              "0.5::born(1990,ann) born(1991,bob) ");
    EXPECT_EQ(facts(":- facts(person/1, 'people.tsv', [header, columns([1])])."), "person(ann) person(bob) ");
}

// Records are read some at a time: what stands behind a mistake counts, and the texts of quoted fields last.
TEST_F(FactTables, OfManyRecordsNoneIsLostOrMixedUp) {
    std::string table;
    std::string expected;
    for (int i = 0; i < 300; ++i) {
        table += fmt::format("\"a \"\"{}\"\"\",b{}\n", i, i % 7);
        expected += fmt::format("edge('a \"{}\"',b{}) ", i, i % 7);
    }
    folder_.write("edges.csv", table);
    EXPECT_EQ(facts(":- facts(edge/2, 'edges.csv')."), expected);
    folder_.write("edges.csv", table + "c\n" + table + "d,e,f\n\"open");
    const std::string said = facts(":- facts(edge/2, 'edges.csv').");
    EXPECT_NE(said.find("edges.csv:301:1"), std::string::npos) << said;
    EXPECT_NE(said.find("edges.csv:602:1"), std::string::npos) << said;
    EXPECT_NE(said.find("edges.csv:603:1"), std::string::npos) << said;
}

TEST_F(FactTables, PackedByGzip) {
    const std::string path = (folder_.path() / "edges.csv.gz").string();
    gzFile file = gzopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    gzputs(file, "a,b\nb,c\n");
    gzclose(file);
    EXPECT_EQ(facts(":- facts(edge/2, 'edges.csv.gz')."), "edge(a,b) edge(b,c) ");
}

TEST_F(FactTables, AHeaderThatIsNotDeclaredIsRefused) {
    folder_.write("ships.csv", "name,days\na,3\nb,4.5\nc,5\n");
    EXPECT_NE(facts(":- facts(ship/2, 'ships.csv').")
                  .find("ships.csv:1:6-9: error: the first line seems to name the "
                        "columns: 'days' stands over 3 numbers"),
              std::string::npos);
    EXPECT_EQ(facts(":- facts(ship/2, 'ships.csv', [header])."), "ship(a,3) ship(b,4.5) ship(c,5) ");
    folder_.write("words.csv", "name,days\na,3\nb,few\n");
    EXPECT_EQ(facts(":- facts(ship/2, 'words.csv')."), "ship(name,days) ship(a,3) ship(b,few) ");
}

TEST_F(FactTables, FromOptions) {
    folder_.write("edges.txt", "a;b\n");
    LoadOptions options;
    options.facts = {fmt::format("edge/2, '{}', [separator(';')]", (folder_.path() / "edges.txt").string())};
    EXPECT_EQ(facts("path(X,Y) :- edge(X,Y).", options), "edge(a,b) ");
}

TEST_F(FactTables, IncludedFilesAreReadOnce) {
    folder_.write("one.nm", ":- include('two.nm'). :- include('program.nm'). p(a).");
    folder_.write("two.nm", ":- include('one.nm'). q(b).");
    folder_.write("program.nm", "");
    EXPECT_EQ(facts(":- include('one.nm'). :- include('two.nm'). r(c)."), "r(c) p(a) q(b) ");
}

}  // namespace
}  // namespace neumann
