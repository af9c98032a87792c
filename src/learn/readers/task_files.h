// Files of learning tasks: texts, rules in them, and the result of a reader.
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
#include "learn/readers/bias_rules.h"
#include "resolution/rules.h"

namespace neumann::search {

// An error in the files, with place and advice.
class TaskError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// How a goal of the bias is written: name(arguments), where some arguments may be constants, or X = constant.
struct ReadGoal {
    std::string name;
    std::vector<Value> constants;  // per argument; resolution::no_term where a variable stands
    bool is_equation = false;      // X = the only constant
};

inline constexpr unsigned longest_body = 24;  // longer ones are not searched

struct ReadTask {
    Task task;
    std::shared_ptr<Background> background;
    std::vector<ReadGoal> goals;     // as task.bias.body
    std::vector<std::string> types;  // names by number; 0 is no type
    std::string background_file;
    std::string background_text;     // as it stands in the file, directives blank
    std::string resolved_text;       // as resolution reads it
    std::string all_texts;           // of the files with bias and background
    std::vector<std::string> notes;  // statements that are ignored, or could not be read
};

// Labelled atoms of a further file, as arguments of the target.
struct ReadLabels {
    std::vector<std::vector<Value>> positives;
    std::vector<std::vector<Value>> negatives;
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

    // Prolog clauses of a text that stands for the file `name`. Throws TaskError.
    void read_into(resolution::Rules& rules, const std::string& name, std::string text);

    // Rules of a bias in a file that has been read. Throws TaskError, unless what is not understood is noted.
    BiasRules read_bias(std::uint32_t file, bool only_note);

    std::uint32_t line(const Span& span) const { return sources_.line(span); }

    // Something is wrong at a place of a file or of a text.
    [[noreturn]] void fail(const Span& span, const std::string& message, const std::string& advice) const;

    // The texts of all files that have been read.
    std::string all_texts() const;

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

// Throws TaskError if one of these predicates needs one that nothing defines.
void check_background(const Background& background, const std::vector<resolution::Indicator>& used,
                      const TaskFiles& files);

}  // namespace neumann::search
