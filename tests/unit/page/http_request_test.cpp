#include <cstddef>
#include <string>
#include <string_view>

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

TEST(HttpReaderTest, HowARequestIsCutMakesNoDifference) {
    const std::string text = "POST /answer HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{ab}\nleft out";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        HttpReader reader;
        std::size_t at = 0;
        while (at < text.size() && !reader.add(std::string_view(text).substr(at, piece))) at += piece;
        const HttpRequest request = reader.take();
        EXPECT_EQ(request.path, "/answer") << piece;
        EXPECT_EQ(request.body, "{ab}\n") << piece;
    }
}

TEST(HttpReaderTest, HeadsHaveABoundWithOrWithoutTheirEnd) {
    const std::string line = "GET / HTTP/1.1\r\nx: ";
    const auto status = [](const std::string& text, std::size_t piece) {
        try {
            HttpReader reader;
            for (std::size_t at = 0; at < text.size(); at += piece)
                if (reader.add(std::string_view(text).substr(at, piece))) return 200;
        } catch (const HttpRefusal& refusal) {
            return refusal.status;
        }
        return 0;
    };
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
        EXPECT_EQ(status(line + std::string(most_head_bytes - line.size(), 'y') + "\r\n\r\n", piece), 200) << piece;
        EXPECT_EQ(status(line + std::string(most_head_bytes - line.size() + 1, 'y') + "\r\n\r\n", piece), 431) << piece;
        EXPECT_EQ(status(line + std::string(most_head_bytes + 4, 'y'), piece), 431) << piece;
    }
}

}  // namespace
}  // namespace neumann
