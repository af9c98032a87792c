// What `neumann reason` prints: JSON Lines for programs, tables for people.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reason_engine.h"
#include "runtime/atom_names.h"

namespace neumann::app {

// An atom that is asked for.
struct Answer {
    std::string text;
    std::string json;                   // the text as a JSON string
    std::optional<std::uint32_t> atom;  // absent: it cannot be derived, and its value is 0
};

struct OutputOptions {
    bool history = false;
    bool history_of_all = false;
    bool input_gradients = false;
    bool weight_gradients = false;
    std::size_t top = 10;  // answers shown to people; 0: all
    std::string semantics;
    double gamma = 0;
    bool uses_gamma = false;
    bool double_precision = false;

    bool gradients() const { return input_gradients || weight_gradients; }
};

class ReasonOutput {
public:
    ReasonOutput(const CompiledProgram& compiled, AtomNames& names, std::vector<AtomNames::QueryAtoms> queries,
                 OutputOptions options);  // borrows the program

    const std::vector<Answer>& answers() const { return answers_; }

    // One line for each example of the batch that the engine has just run.
    void write_json(ReasonEngine& engine, std::span<const Example> examples, fmt::memory_buffer& out) const;
    // `alone`: the only example there is, shown at length.
    void write_text(ReasonEngine& engine, std::span<const Example> examples, bool alone, fmt::memory_buffer& out) const;

    // The answers' values at every step.
    struct History {
        std::vector<std::string> atoms;
        std::vector<std::vector<double>> steps;
    };
    History history(ReasonEngine& engine, std::size_t example) const;

private:
    void put_number(double value, fmt::memory_buffer& out) const;
    std::vector<std::uint32_t> inputs_of(const Example& example) const;
    void put_gradients(ReasonEngine& engine, std::span<const Example> examples,
                       std::vector<fmt::memory_buffer>& lines) const;
    void put_gradient_tables(ReasonEngine& engine, const Example& example, fmt::memory_buffer& out) const;
    std::vector<std::size_t> best(ReasonEngine& engine, std::size_t example) const;
    double value(ReasonEngine& engine, const Answer& answer, std::size_t example) const;

    const CompiledProgram& compiled_;
    OutputOptions options_;
    std::vector<Answer> answers_;
    std::vector<Answer> all_;            // --history all: every atom
    std::vector<std::uint32_t> inputs_;  // atoms that have a value of their own, ascending
};

}  // namespace neumann::app
