#include <string>

#include <gtest/gtest.h>

#include "page/http_request.h"

namespace neumann {
namespace {

int refused_with(const std::string& head) {
    try {
        body_bytes(parse_http_head(head));
    } catch (const HttpRefusal& refusal) {
        return refusal.status;
    }
    return 0;
}

TEST(HttpRequestTest, ARequestIsTakenApart) {
    const HttpRequest request =
        parse_http_head("GET /js/main.js?a=b?c HTTP/1.1\r\nHost: 127.0.0.1:80\r\nX-Token: \t abc \r\n\r\n");
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.path, "/js/main.js");
    EXPECT_EQ(request.query, "a=b?c");
    EXPECT_EQ(request.header("x-token"), "abc");
    EXPECT_EQ(request.header("origin"), std::nullopt);
    EXPECT_EQ(body_bytes(request), 0U);
}

TEST(HttpRequestTest, AHeaderThatIsThereTwiceIsNotTrusted) {
    const HttpRequest request = parse_http_head("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n");
    EXPECT_EQ(request.header("host"), std::nullopt);
}

TEST(HttpRequestTest, BodiesSayHowLongTheyAre) {
    EXPECT_EQ(body_bytes(parse_http_head("POST / HTTP/1.1\r\nContent-Length: 12\r\n\r\n")), 12U);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\n\r\n"), 411);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n"), 400);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nContent-Length: 33554433\r\n\r\n"), 413);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413);
    EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
}

TEST(HttpRequestTest, WhatIsNoRequestIsRefused) {
    for (const char* head :
         {"", "\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
          "G\x01T / HTTP/1.1\r\n\r\n", "GET /\x7f HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
          "GET / HTTP/1.1\r\na b: c\r\n\r\n", "GET / HTTP/1.1\r\na: \x02\r\n\r\n", "GET / HTTP/1.1\n\n"})
        EXPECT_EQ(refused_with(head), 400) << head;
}

}  // namespace
}  // namespace neumann
