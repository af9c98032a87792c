#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "syntax/lexer.h"

namespace neumann::syntax {
namespace {

const char* kind_name(TokenKind kind) {
    switch (kind) {
    case TokenKind::Name:
        return "name";
    case TokenKind::Variable:
        return "var";
    case TokenKind::Number:
        return "number";
    case TokenKind::Weight:
        return "weight";
    case TokenKind::Refused:
        return "refused";
    case TokenKind::Bad:
        return "bad";
    case TokenKind::Star:
        return "star";
    default:
        return nullptr;  // punctuation: its text says it
    }
}

struct Tokens {
    std::string text;  // "name:p ( var:X ) ."
    std::string problems;
};

Tokens tokens(std::string_view text, Dialect dialect = {}) {
    SourceSet sources;
    Diagnostics diagnostics;
    const std::uint32_t file = sources.add("test.nm", std::string(text));
    Lexer lexer(sources, file, dialect, diagnostics);
    Tokens result;
    for (Token token = lexer.next(); token.kind != TokenKind::EndOfFile; token = lexer.next()) {
        result.text += result.text.empty() ? "" : " ";
        const char* name = kind_name(token.kind);
        result.text += name == nullptr ? std::string(token.text) : fmt::format("{}:{}", name, token.text);
    }
    for (const Diagnostic& diagnostic : diagnostics.sorted())
        result.problems += std::string(diagnostic.code.name) + " ";
    return result;
}

TEST(Lexer, Words) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"red 1st 0 a_B9", "name:red name:1st number:0 name:a_B9"},
        {"X Color1 _rest _", "var:X var:Color1 var:_rest var:_"},
        {"p(X,[H|T]).", "name:p ( var:X , [ var:H | var:T ] ) ."},
        {"a:-b.", "name:a :- name:b ."},
        {"X=Y X\\=Y", "var:X = var:Y var:X \\= var:Y"},
        {"p/2 +t -t #t", "name:p / number:2 + name:t - name:t # name:t"},
        {"f(*)", "name:f ( star:* )"},
        {"", ""},
        {"  \t\r\n ", ""},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(tokens(text).text, expected) << text;
        EXPECT_EQ(tokens(text).problems, "") << text;
    }
}

TEST(Lexer, QuotedNames) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"'*'", "name:*"},
        {"'it''s'", "name:it's"},
        {"'it\\'s'", "name:it's"},
        {"'a\\\\b'", "name:a\\b"},
        {"'a\\nb\\tc'", "name:a\nb\tc"},
        {"'X'", "name:X"},
        {"'größe →'", "name:größe →"},
        {"'% no comment'", "name:% no comment"},
        {"''''", "name:'"},
        {"'a''' b", "name:a' name:b"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(tokens(text).text, expected) << text;
        EXPECT_EQ(tokens(text).problems, "") << text;
    }
}

TEST(Lexer, QuotedNamesThatAreWrong) {
    EXPECT_EQ(tokens("'open").problems, "unclosed ");
    EXPECT_EQ(tokens("'open\nnext'").problems, "unclosed unclosed ");
    EXPECT_TRUE(tokens("'ends with \\").problems.starts_with("unclosed "));
    EXPECT_EQ(tokens("'a\\q'").problems, "syntax ");
    EXPECT_EQ(tokens("''").problems, "syntax ");
    EXPECT_EQ(tokens("größe").problems, "syntax syntax ") << "letters outside ASCII need quotes";
}

TEST(Lexer, ANumberInFrontOfTwoColonsIsAWeight) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"0.54::p", "weight:0.54 name:p"},        {"1::p", "weight:1 name:p"},
        {"1e-3::p", "weight:1e-3 name:p"},        {"0.5 :: p", "weight:0.5 name:p"},
        {"2.5E-1::p", "weight:2.5E-1 name:p"},    {"1 ::\np", "weight:1 name:p"},
        {"1st::p", "name:1st refused::: name:p"},  // a name is no number
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text).text, expected) << text;
}

TEST(Lexer, Numbers) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"p(1.5)", "name:p ( number:1.5 )"},
        {"p(1).", "name:p ( number:1 ) ."},
        {"X > 1.", "var:X > number:1 ."},
        {"a(1.\nb", "name:a ( number:1 . name:b"},
        {"0..9", "number:0 .. number:9"},
        {"007 1e3 2.50 1E-2 1e+2", "number:7 number:1000.0 number:2.5 number:0.01 number:100.0"},
        {"1e 1e3x 1_000 9lives", "name:1e name:1e3x name:1_000 name:9lives"},
        {"X<-3 p<-q", "var:X < - number:3 name:p <- name:q"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(tokens(text).text, expected) << text;
        EXPECT_EQ(tokens(text).problems, "") << text;
    }
    EXPECT_EQ(tokens("99999999999999999999").problems, "bad-number ");
    EXPECT_EQ(tokens("1e999").problems, "bad-number ");
}

TEST(Lexer, Strings) {
    EXPECT_EQ(tokens("p(\"a. b\")").text, "name:p ( name:a. b )");
    EXPECT_EQ(tokens("\"it's\" \"say \"\"hi\"\"\" \"\\\"\"").text, "name:it's name:say \"hi\" name:\"");
    EXPECT_EQ(tokens("\"open").problems, "unclosed ");
}

TEST(Lexer, Comments) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"a % b\nc", "name:a name:c"}, {"a % to the end", "name:a"},     {"a /* b\n c */ d", "name:a name:d"},
        {"a/**/b", "name:a name:b"},   {"a /* % */ b", "name:a name:b"}, {"a % /*\nb", "name:a name:b"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text).text, expected) << text;
    EXPECT_EQ(tokens("a /* b").problems, "unclosed ");
}

TEST(Lexer, WhatPrologHasAndThisLanguageHasNot) {
    for (std::string_view text : {"!", "->", "!=", "<=", "=>", "**", "^", "=..", "-->", "?-", "{", "}"}) {
        EXPECT_EQ(tokens(text).text, fmt::format("refused:{}", text));
    }
    EXPECT_EQ(tokens("p & q").problems, "syntax ");
}

TEST(Lexer, FoldersHaveADialectOfTheirOwn) {
    constexpr Dialect folder{.hash_comments = true, .starred_names = true};
    EXPECT_EQ(tokens("f(a,*) # comment", folder).text, "name:f ( name:a , name:* )");
    EXPECT_EQ(tokens("g(**,***)", folder).text, "name:g ( name:** , name:*** )");
    EXPECT_EQ(tokens("# f(a)\np.", folder).text, "name:p .");
}

TEST(Lexer, KnowsWhereLinesStart) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("test.nm", "a b\nc\n d");
    Lexer lexer(sources, 0, {}, diagnostics);
    EXPECT_TRUE(lexer.next().starts_line);
    EXPECT_FALSE(lexer.next().starts_line);
    EXPECT_TRUE(lexer.next().starts_line);
    EXPECT_FALSE(lexer.next().starts_line);
}

// Texts with escapes stand nowhere in the source; tokens must not outlive their store.
TEST(Lexer, EscapedTextsLiveAsLongAsTheirStore) {
    TextStore texts;
    Token token;
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("test.nm", "'it''s'");
    {
        Lexer lexer(sources, 0, {}, diagnostics);
        token = lexer.next();
        texts = lexer.texts();
    }
    EXPECT_EQ(token.text, "it's");
    EXPECT_TRUE(token.quoted);
    EXPECT_EQ(sources.text(token.span), "'it''s'");
}

// Files are checked to be UTF-8, texts from elsewhere are not; found by fuzzing.
TEST(Lexer, ARunOfABrokenCharacterIsOneError) {
    const std::string broken(100, '\xB4');
    Diagnostics diagnostics;
    SourceSet sources;
    Lexer lexer(sources, sources.add("broken.nm", broken), {}, diagnostics);
    int tokens = 0;
    while (lexer.next().kind != TokenKind::EndOfFile) ++tokens;
    EXPECT_EQ(tokens, 1);
    EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace neumann::syntax
