// Conversion as a library call. What is translated how: tests/unit/interchange, tests/golden/convert.
#include <gtest/gtest.h>

#include <neumann/convert.h>

#include "base/files.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

TEST(Convert, LanguagesByKindAndEnding) {
    const TemporaryFolder folder;
    EXPECT_EQ(language_of(folder.path()).name, "folder");
    EXPECT_EQ(language_of("a.lp").name, "asp");
    EXPECT_EQ(language_of("a.pl").name, "problog");
    EXPECT_EQ(language_of("a.nm").name, "neumann");
    EXPECT_EQ(language_of("a.pl").default_semantics, "exact");
    EXPECT_EQ(language_names(), (std::vector<std::string>{"neumann", "problog", "asp", "cnf", "folder"}));
    EXPECT_THROW(language_named("popper"), std::invalid_argument) << "a task, no program";
}

TEST(Convert, ThereAndBack) {
    const TemporaryFolder folder;
    const std::filesystem::path program = folder.write("a.nm", "p(a). q(X) :- p(X), \\+ r(X). r(b). query(q(X)).");
    ConvertOptions options;
    options.to = "asp";
    const Conversion there = convert_program(program, options);
    EXPECT_EQ(there.text, "p(a).\nr(b).\nq(X) :- p(X), not r(X).\n#show q/1.\n");
    const std::filesystem::path asp = folder.write("a.lp", there.text);
    EXPECT_EQ(convert_program(asp).text, "p(a).\nr(b).\nq(X) :- p(X), \\+ r(X).\n:- query(q(V1)).\n");
}

TEST(Convert, WhatHasNoPlaceIsAnError) {
    const TemporaryFolder folder;
    const std::filesystem::path program = folder.write("a.nm", "0.5::p(a).");
    ConvertOptions options;
    options.to = "asp";
    EXPECT_THROW(convert_program(program, options), Error);
    options.drop_probabilities = true;
    EXPECT_EQ(convert_program(program, options).text, "% without probabilities: what is possible holds\np(a).\n");
    options.from = "folder";
    EXPECT_THROW(convert_program(program, options), FileError);
}

TEST(Convert, AFolderIsWrittenAsAWhole) {
    const TemporaryFolder folder;
    const std::filesystem::path program = folder.write("a.nm", "p(a). q(X) :- p(X).");
    ConvertOptions options;
    options.to = "folder";
    const Conversion written = convert_program(program, options);
    save_folder(written, folder.path() / "out");
    EXPECT_EQ(read_file(folder.path() / "out" / "bk.txt"), "p(a).\n");
    EXPECT_EQ(read_file(folder.path() / "out" / "bk_clauses.txt"), "q(X):-p(X).\n");
    EXPECT_THROW(save_folder(written, folder.path() / "out"), FileError);
    EXPECT_THROW(save_folder(written, program / "out"), FileError);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

}  // namespace
}  // namespace neumann
