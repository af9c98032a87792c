// Output of `neumann reason`: JSON Lines for programs, tables for people.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <neumann/session.h>

namespace neumann {

struct OutputOptions {
    bool history = false;
    bool history_of_all = false;
    bool input_gradients = false;
    bool weight_gradients = false;
    bool intervals = false;  // of estimates
    bool compare_exact = false;
    bool world = false;        // the most probable one
    bool grounding = false;    // how the program was grounded, for languages with several ways
    bool all_answers = false;  // also those to queries with variables whose value is 0
    std::size_t top = 10;      // answers to each query shown to people; 0: all
    std::string semantics;
    std::string step_name = "step";  // the unit of Session::steps(): steps, worlds or proofs
    double gamma = 0;
    bool uses_gamma = false;
    bool double_precision = false;

    bool gradients() const { return input_gradients || weight_gradients; }
};

class ReasonOutput {
public:
    explicit ReasonOutput(OutputOptions options) : options_(std::move(options)) {}

    // One line for each example of the batch that the session has just run. Where exact values are too hard, bounds
    // stand in their place.
    void write_json(Session& session, std::string& out) const;
    // `alone`: the only example there is, shown at length.
    void write_text(Session& session, bool alone, std::string& out) const;

    // The answers' values at every step.
    struct History {
        std::vector<std::string> atoms;
        std::vector<std::vector<double>> steps;
    };
    History history(const Session& session, std::size_t example) const;

private:
    void write_json_bounds(const Session& session, std::string& out) const;
    static void put_compilation(const Compilation& how, std::string& out);
    void put_number(double value, std::string& out) const;
    void put_gradients(Session& session, std::vector<std::string>& lines) const;
    void put_gradient_tables(Session& session, std::string& out) const;
    // The best answers to one query, by value, and how many others there are.
    struct Best {
        std::vector<std::size_t> answers;
        std::size_t others = 0;
    };
    // The answers that are shown: not those of a query with variables that are certainly false.
    bool is_listed(const Session& session, std::size_t answer, std::size_t example) const;
    std::vector<std::size_t> listed(const Session& session, std::size_t example) const;
    std::vector<Best> best(const Session& session, std::size_t example) const;  // query by query
    std::vector<std::size_t> best_of_all(const Session& session, std::size_t example) const;
    void put_answers(const Session& session, std::size_t example, std::string& out) const;
    void put_history_table(const Session& session, std::size_t example, std::string& out) const;
    void put_intervals(const Session& session, std::size_t example, std::string& out) const;
    void put_exact(const Session& session, std::size_t example, std::string& out) const;
    void put_exact_problem(const Session& session, std::size_t example, std::string& out) const;
    void put_value_table(const Session& session, std::size_t example, std::string& out) const;
    void put_world(const Session& session, std::size_t example, std::string& out) const;
    void put_world_table(const Session& session, std::size_t example, std::string& out) const;
    bool shows_bounds(const Session& session) const { return options_.intervals || session.limit_problem(); }
    const std::vector<Answer>& shown_atoms(const Session& session) const {
        return options_.history_of_all ? session.all_atoms() : session.answers();
    }

    OutputOptions options_;
};

// "accuracy: 97 of 100 labels right (0.9700)" and the like, a line each; empty if nothing is known.
std::string score_text(const Score& score);

// Values of atoms over the steps of reasoning as a heat map in SVG: atoms across, steps down, the darker the nearer
// to 1. steps[t][i] is the value of atoms[i]. Throws std::invalid_argument for too many of them, or none.
std::string history_svg(const std::vector<std::string>& atoms, const std::vector<std::vector<double>>& steps,
                        const std::string& title = {}, const std::string& subtitle = {});

}  // namespace neumann
