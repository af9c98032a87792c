#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "page/http_limits.h"

namespace neumann {
namespace {

int refused_with(const std::string& head) {
    const std::optional<HttpRefusal> refusal = check_head(head);
    return refusal ? refusal->status : 0;
}

TEST(HttpLimitsTest, AHeadEndsWithAnEmptyLine) {
    EXPECT_EQ(head_bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\nbody"), 27U);
    EXPECT_EQ(head_bytes("GET / HTTP/1.1\r\nHost: a\r\n"), std::nullopt);
    EXPECT_EQ(head_bytes(""), std::nullopt);
}

TEST(HttpLimitsTest, WhatTheLibraryWouldPassOverIsRefused) {
    EXPECT_EQ(refused_with("POST /answer HTTP/1.1\r\nHost: a\r\nX-Token: \t abc \r\n\r\nbody\x01"), 0);
    for (const char* head :
         {"", "\r\n", "\r\n\r\n", "GET / HTTP/1.1\r\n", "G\x01T / HTTP/1.1\r\n\r\n", "GET /\x7f HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\na b: c\r\n\r\n", "GET / HTTP/1.1\r\na : c\r\n\r\n",
          "GET / HTTP/1.1\r\n folded: c\r\n\r\n", "GET / HTTP/1.1\r\na: \x02\r\n\r\n", "GET / HTTP/1.1\n\n"})
        EXPECT_EQ(refused_with(head), 400) << head;
}

TEST(HttpLimitsTest, HeadsHaveABoundWithOrWithoutTheirEnd) {
    const std::string line = "GET / HTTP/1.1\r\nx: ";
    EXPECT_EQ(refused_with(line + std::string(most_head_bytes - line.size(), 'y') + "\r\n\r\n"), 0);
    EXPECT_EQ(refused_with(line + std::string(most_head_bytes - line.size() + 1, 'y') + "\r\n\r\n"), 431);
    EXPECT_EQ(refused_with(line + std::string(most_head_bytes + 4, 'y')), 431);
}

}  // namespace
}  // namespace neumann
