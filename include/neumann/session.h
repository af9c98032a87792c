// Reasoning sessions: a program, examples in, answers out, batch by batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <neumann/examples.h>
#include <neumann/model.h>
#include <neumann/progress.h>
#include <neumann/reasoner.h>
#include <neumann/score.h>

namespace neumann {

// What a session needs a program to be compiled for, beside what its maker knows.
struct ModelRequest {
    std::vector<std::string> inputs = {};  // ModelOptions::inputs: predicates that examples have named
    bool all_atoms = false;                // Grounding::Full: nothing that is given leads to what is asked
};

// Compiles the program of a session, first for no inputs, then again for examples that name some: an example's result
// must not depend on what others name.
using ModelMaker = std::function<Model(const ModelRequest&)>;

struct SessionOptions {
    ReasonerOptions reason = {};
    std::vector<std::string> queries = {};  // what is asked; empty: what the model was compiled for, else all atoms
                                            // that rules derive
    std::vector<double> weights = {};       // of the clauses; empty: the program's own
    bool history = false;                   // keeps what history() needs
    bool input_gradients = false;           // keeps what differentiate() needs
    bool weight_gradients = false;
    bool compare_exact = false;        // computes exact probabilities, too
    bool most_probable_world = false;  // keeps what most_probable_world() needs; for exact semantics
    bool bounds_at_limit = false;      // exact probabilities that do not fit the limits: bounds instead of an Error
};

// An atom that is asked for.
struct Answer {
    std::string text;
    std::string json;               // the text as a JSON string
    std::optional<AtomIndex> atom;  // absent: it cannot be derived, and its value is 0
};

// Bounds of a value.
struct Interval {
    double low = 0;
    double high = 1;
};

// A world of the distribution semantics: what every fact and every instance of a clause that is random comes to.
struct World {
    struct Decided {
        std::string text;      // the atom of a fact, or a ground clause
        std::uint32_t line;    // of the clause; 0: a fact
        double probability;    // of its own
        std::uint32_t choice;  // of those with the same number at most one holds
        bool holds;
    };
    double probability = 0;        // of all that is decided
    double evidence = 0;           // of all worlds that agree with the evidence; 1 without
    std::vector<Decided> decided;  // by choice
    std::vector<bool> answers;     // whether each answer holds in it
};

struct StreamOptions {
    std::size_t batch = 64;  // examples computed together; results do not depend on it
    std::string doing = "reasoning";
    ProgressFunction progress = {};
};

struct StreamSummary {
    std::uint64_t examples = 0;
    double seconds = 0;
    bool complete = true;  // false: it was enough before the end
};

// A program that is ready to be asked. Used by one thread at a time.
class Session {
public:
    // Throws what the maker throws; Error for queries and weights that do not fit, std::invalid_argument for options
    // that make no sense.
    Session(ModelMaker maker, const SessionOptions& options);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const Model& model() const;
    std::string description() const;  // of the engine: "graph engine, avx2 kernel"

    // What is asked, query by query, and behind which answer each query ends.
    const std::vector<Answer>& answers() const;
    const std::vector<std::size_t>& query_ends() const;
    const std::vector<Answer>& all_atoms() const;  // of the graph

    // Reasons over all examples of a source. `each` is told of every batch, with the session that holds it: this one,
    // or one whose program was compiled for what the examples name; it returns false if that was enough. Conclusions
    // are counted against what examples say. Throws Error for an example that cannot be used, once all before it have
    // been.
    StreamSummary run(ExampleSource& source, const StreamOptions& options, const std::function<bool(Session&)>& each);
    void count_right(const ScoreOptions& options);  // before run()
    const Score& score() const;

    // Reasons with the program as it stands: a batch of one example without values.
    void run_own_facts();

    // About the batch that was run last, while run() tells of it. Examples and answers must be among those there are.
    std::size_t examples() const;
    const Example& example(std::size_t example) const;
    double value(std::size_t answer, std::size_t example) const;
    std::uint32_t steps(std::size_t example) const;
    // Where the exact value lies: under "sample" with a confidence of 95 %, under "topk" for sure.
    Interval interval(std::size_t answer, std::size_t example) const;
    // With SessionOptions::bounds_at_limit: why exact values are not known, and what to do; interval() says where they
    // lie.
    const std::optional<std::string>& limit_problem() const;
    // With SessionOptions::compare_exact: what is exact, unless there is a problem with that.
    double exact_value(std::size_t answer, std::size_t example) const;
    std::optional<std::string> exact_problem(std::size_t example) const;
    // The values of atoms at every step, initial values first: result[step][i] is that of atoms[i].
    std::vector<std::vector<double>> history(std::size_t example, std::span<const AtomIndex> atoms) const;
    std::vector<std::vector<double>> history(std::size_t example, const std::vector<Answer>& answers) const;

    // The most probable world that agrees with the evidence.
    World most_probable_world(std::size_t example) const;

    // The atoms that have a value of their own in an example, by number; and the texts of those that were given values
    // on which no answer depends.
    std::vector<AtomIndex> inputs(std::size_t example) const;
    std::vector<std::string> unneeded_inputs(std::size_t example) const;
    // The derivatives of an answer that can be derived, for all examples at once; then they can be asked for.
    void differentiate(std::size_t answer);
    double input_gradient(AtomIndex atom, std::size_t example) const;
    double weight_gradient(std::size_t clause, std::size_t example) const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

// Values of atoms over the steps of reasoning as a heat map in SVG: atoms across, steps down, the darker the nearer
// to 1. steps[t][i] is the value of atoms[i]. Throws std::invalid_argument for too many of them, or none.
std::string history_svg(const std::vector<std::string>& atoms, const std::vector<std::vector<double>>& steps,
                        const std::string& title = {}, const std::string& subtitle = {});

}  // namespace neumann
