// What readers of other people's tasks have in common: their files, rules in them, and what is to be said about both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "learn/evaluate/relational_task.h"
#include "learn/readers/background.h"
#include "resolution/rules.h"

namespace neumann::search {

// What is wrong with the files, with place and advice.
class TaskError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr unsigned longest_body = 24;  // longer ones are not searched

struct ReadTask {
    Task task;
    std::shared_ptr<Background> background;
    std::vector<std::string> notes;  // what was read but is not kept to, or could not be read
};

// Writes the predicate's name in quotes where Prolog asks for them.
void quote(Predicate& predicate);

// Files on disk, or texts that stand for them.
class TaskFiles {
public:
    using Texts = std::map<std::filesystem::path, std::string>;

    TaskFiles() = default;
    explicit TaskFiles(Texts texts) : texts_(std::move(texts)) {}

    bool has(const std::filesystem::path& path) const;
    // The number of a file that has been read. Throws TaskError.
    std::uint32_t load(const std::filesystem::path& path);
    std::string_view text(std::uint32_t file) const { return sources_.file(file).text(); }

    // Clauses of a text that stands for the file `name`; what is wrong with them is noted, or thrown.
    void read_into(resolution::Rules& rules, const std::string& name, std::string text, bool strict);

    // Something is wrong at a place of a file.
    [[noreturn]] void fail(const Span& span, const std::string& message, const std::string& advice) const;

    void note(std::string text);  // once
    std::vector<std::string> take_notes() { return std::move(notes_); }
    // Those about a file, for an error that they explain: a line each, after a line break.
    std::string notes_text(const std::filesystem::path& about) const;

private:
    std::string rendered(const Diagnostics& diagnostics) const;

    Texts texts_;
    SourceSet sources_;
    std::vector<std::string> notes_;
};

}  // namespace neumann::search
