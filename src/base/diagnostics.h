// Diagnostics: values that are collected while reading, then sorted and rendered at the end. Nothing in the library
// prints.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace neumann {

enum class Severity { Error, Warning, Note };

// A kind of diagnostic: the name shown in brackets, by which a warning can be switched off.
struct Code {
    std::string_view name;
    Severity severity = Severity::Error;
};

// Every code there is. docs/language.md lists the warnings; tests/golden/diagnostics has a case for each.
namespace codes {
inline constexpr Code cannot_read{"cannot-read"};
inline constexpr Code not_text{"not-text"};
inline constexpr Code too_large{"too-large"};
inline constexpr Code empty_program{"empty-program"};
inline constexpr Code syntax{"syntax"};
inline constexpr Code unclosed{"unclosed"};
inline constexpr Code too_deep{"too-deep"};
inline constexpr Code unsupported{"unsupported"};
inline constexpr Code bad_weight{"bad-weight"};
inline constexpr Code bad_number{"bad-number"};
inline constexpr Code unknown_directive{"unknown-directive"};
inline constexpr Code bad_declaration{"bad-declaration"};
inline constexpr Code unknown_type{"unknown-type"};
inline constexpr Code unknown_predicate{"unknown-predicate"};
inline constexpr Code unknown_functor{"unknown-functor"};
inline constexpr Code unknown_constant{"unknown-constant"};
inline constexpr Code wrong_arity{"wrong-arity"};
inline constexpr Code type_clash{"type-clash"};
inline constexpr Code duplicate_declaration{"duplicate-declaration"};
inline constexpr Code bad_mode{"bad-mode"};
inline constexpr Code not_ground{"not-ground"};
inline constexpr Code unsafe_variable{"unsafe-variable"};
inline constexpr Code negative_cycle{"negative-cycle"};
inline constexpr Code unbounded_type{"unbounded-type"};
inline constexpr Code evaluation{"evaluation"};  // of an expression: a division by zero, a word for a number
inline constexpr Code bad_table{"bad-table"};    // a file of facts
inline constexpr Code memory_limit{"memory-limit"};
inline constexpr Code damaged_file{"damaged-file"};
inline constexpr Code singleton_variable{"singleton-variable", Severity::Warning};
inline constexpr Code duplicate_clause{"duplicate-clause", Severity::Warning};
inline constexpr Code duplicate_fact{"duplicate-fact", Severity::Warning};
inline constexpr Code empty_type{"empty-type", Severity::Warning};
inline constexpr Code unused_file{"unused-file", Severity::Warning};
inline constexpr Code never_derived{"never-derived", Severity::Warning};
inline constexpr Code large_rule{"large-rule", Severity::Warning};
inline constexpr Code never_true{"never-true", Severity::Warning};
inline constexpr Code impossible_fact{"impossible-fact", Severity::Warning};
inline constexpr Code no_match{"no-match", Severity::Warning};
inline constexpr Code outside_type{"outside-type", Severity::Warning};

inline constexpr Code warnings[] = {singleton_variable, duplicate_clause, duplicate_fact, empty_type,
                                    unused_file,        never_derived,    large_rule,     never_true,
                                    impossible_fact,    no_match,         outside_type};
}  // namespace codes

struct Diagnostic {
    struct Related {  // a second place, shown as a note
        Span span;
        std::string message;
    };
    Code code;
    Span span;
    std::string message;
    std::string advice;  // how to fix it; may be empty
    std::vector<Related> related;
};

// An ordered, duplicate-free collection of diagnostics.
class Diagnostics {
public:
    void report(Code code, Span span, std::string message, std::string advice = {},
                std::vector<Diagnostic::Related> related = {});
    void switch_off(std::string_view warning) { switched_off_.emplace(warning); }

    bool has_errors() const { return has_errors_; }
    std::size_t size() const { return all_.size(); }
    // Whether this was reported, wherever.
    bool has(Code code, const std::string& message) const { return told_.contains({code.name, message}); }

    // In order of file and place; equal diagnostics (the same code, place and text) once.
    std::vector<Diagnostic> sorted() const;

private:
    std::vector<Diagnostic> all_;
    std::set<std::pair<std::string_view, std::string>> told_;  // codes and messages of all of them
    std::set<std::string, std::less<>> switched_off_;
    bool has_errors_ = false;
};

struct RenderOptions {
    std::size_t max_errors = 20;  // 0: all
    bool color = false;
};

// The text a person reads: place, severity, message, source line, carets, advice.
std::string render(const Diagnostics& diagnostics, const SourceSet& sources, const RenderOptions& options = {});

// "file:line:col-col", both ends included.
std::string describe_place(const SourceSet& sources, Span span);

}  // namespace neumann
