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
    std::size_t top = 10;  // answers to each query shown to people; 0: all
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
    void write_json(ReasonEngine& engine, std::span<const BoundExample> examples, fmt::memory_buffer& out) const;
    // `alone`: the only example there is, shown at length.
    void write_text(ReasonEngine& engine, std::span<const BoundExample> examples, bool alone,
                    fmt::memory_buffer& out) const;

    // The answers' values at every step.
    struct History {
        std::vector<std::string> atoms;
        std::vector<std::vector<double>> steps;
    };
    History history(ReasonEngine& engine, std::size_t example) const;

private:
    void put_number(double value, fmt::memory_buffer& out) const;
    std::vector<std::uint32_t> inputs_of(const BoundExample& example) const;
    void put_gradients(ReasonEngine& engine, std::span<const BoundExample> examples,
                       std::vector<fmt::memory_buffer>& lines) const;
    void put_gradient_tables(ReasonEngine& engine, const BoundExample& example, fmt::memory_buffer& out) const;
    // The best answers to one query, by value, and how many others there are.
    struct Best {
        std::vector<std::size_t> answers;
        std::size_t others = 0;
    };
    std::vector<Best> best(ReasonEngine& engine, std::size_t example) const;  // query by query
    std::vector<std::size_t> best_of_all(ReasonEngine& engine, std::size_t example) const;
    void put_answers(ReasonEngine& engine, std::size_t example, fmt::memory_buffer& out) const;
    void put_history_table(ReasonEngine& engine, std::size_t example, fmt::memory_buffer& out) const;
    double value(ReasonEngine& engine, const Answer& answer, std::size_t example) const;

    const CompiledProgram& compiled_;
    OutputOptions options_;
    std::vector<Answer> answers_;
    std::vector<std::size_t> query_ends_;  // the answers to a query are neighbours: where each ends
    std::vector<Answer> all_;              // --history all: every atom
    std::vector<std::uint32_t> inputs_;    // atoms that have a value of their own, ascending
};

}  // namespace neumann::app
