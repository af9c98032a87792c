// Whether a text is XML, as far as our own pictures go, and what is in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace neumann {

inline std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Elements are closed in the order in which they were opened, and nothing else begins with < or &.
inline void expect_well_formed(const std::string& svg) {
    std::vector<std::string> open;
    for (std::size_t at = svg.find_first_of("<&"); at != std::string::npos; at = svg.find_first_of("<&", at + 1)) {
        const std::size_t end = svg.find(svg[at] == '<' ? '>' : ';', at);
        ASSERT_NE(end, std::string::npos);
        const std::string inside = svg.substr(at + 1, end - at - 1);
        ASSERT_FALSE(inside.empty());
        if (svg[at] == '&') {
            EXPECT_TRUE(inside.starts_with('#') && inside.size() <= 4) << inside;
        } else if (inside.front() == '/') {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(inside.substr(1), open.back());
            open.pop_back();
        } else {
            EXPECT_EQ(std::ranges::count(inside, '\'') % 2, 0) << inside;
            if (inside.back() != '/') open.push_back(inside.substr(0, inside.find(' ')));
        }
    }
    EXPECT_TRUE(open.empty());
}

}  // namespace neumann
