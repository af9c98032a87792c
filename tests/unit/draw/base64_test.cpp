#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "draw/base64.h"

namespace neumann {
namespace {

TEST(Base64Test, BytesComeBack) {
    std::string bytes;
    for (int length = 0; length < 300; ++length) {
        EXPECT_EQ(from_base64(base64(bytes)), bytes) << length;
        bytes += static_cast<char>(length * 37);
    }
    EXPECT_EQ(from_base64("TkVVTUFOTg=="), "NEUMANN");
}

TEST(Base64Test, WhatIsNoBase64IsNothing) {
    for (const char* text : {"A", "AA", "AAA", "A===", "====", "AA=A", "A?==", "AAAA=", "AB==", "AAB=", "AA\nA"})
        EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace neumann
