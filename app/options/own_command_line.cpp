#include "options/own_command_line.h"

#include <fstream>
#include <string_view>

namespace neumann::app {
namespace {

std::string shell_quoted(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + '\'';
}

}  // namespace

std::string own_command_line() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::string line;
    std::string word;
    while (std::getline(in, word, '\0')) line += line.empty() ? std::string("neumann") : " " + shell_quoted(word);
    return line;
}

}  // namespace neumann::app
