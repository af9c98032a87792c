// Parsed sentence template: words, and places such as {X} for the value of a variable. {{ and }} are literal braces.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

struct SayingPart {
    bool place = false;
    std::string text;       // literal words, or the name of a variable
    std::size_t begin = 0;  // in the whole text, braces included
    std::size_t end = 0;
};

struct SayingText {
    std::vector<SayingPart> parts;
    std::optional<std::size_t> stray_brace;  // where one opens or closes nothing: the parts end there
};

inline SayingText split_saying(std::string_view text) {
    SayingText result;
    SayingPart words;
    const auto finish_words = [&](std::size_t end) {
        words.end = end;
        if (!words.text.empty()) result.parts.push_back(words);
        words = {};
    };
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const bool brace = c == '{' || c == '}';
        if (!brace || (i + 1 < text.size() && text[i + 1] == c)) {
            if (words.text.empty()) words.begin = i;
            words.text += c;
            i += brace ? 2 : 1;
            continue;
        }
        finish_words(i);
        const std::size_t end = text.find_first_of("{}", i + 1);
        if (c == '}' || end == std::string_view::npos || text[end] == '{') {
            result.stray_brace = i;
            return result;
        }
        result.parts.push_back({true, std::string(text.substr(i + 1, end - i - 1)), i, end + 1});
        i = end + 1;
    }
    finish_words(text.size());
    return result;
}

}  // namespace neumann
