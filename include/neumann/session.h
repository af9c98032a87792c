// Sessions: a program, examples in, answers or explanations out.
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
#include <neumann/explanation.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>
#include <neumann/semantics.h>
#include <neumann/types.h>

namespace neumann {

// The requirements of a session for compiling its program, beside those of its maker.
struct ModelRequest {
    std::vector<std::string> inputs = {};  // ModelOptions::inputs: predicates that examples have named
    bool all_atoms = false;                // Grounding::Full: no given input leads to the queries
};

// Compiles the program of a session, first for no inputs, then again for examples that name some: an example's result
// must not depend on the inputs of others.
using ModelMaker = std::function<Model(const ModelRequest&)>;

// What a session asks, and what it keeps.
struct SessionOptions {
    ReasonerOptions reason = {};            // how values are computed
    std::vector<std::string> queries = {};  // empty: those the model was compiled for, else all atoms
                                            // that rules derive
    std::vector<double> weights = {};       // of the clauses; empty: the program's own
    bool history = false;                   // keeps the data for history()
    bool input_gradients = false;           // keeps the data for differentiate()
    bool weight_gradients = false;          // keeps the data for differentiate(), by clause weights
    bool compare_exact = false;             // computes exact probabilities, too
    bool most_probable_world = false;       // keeps the data for most_probable_world(); for exact semantics
    bool bounds_at_limit = false;  // exact probabilities that do not fit the limits: bounds instead of an Error
};

// An atom that is asked for.
struct Answer {
    std::string text;               // canonical text
    std::string json;               // the text as a JSON string
    std::optional<AtomIndex> atom;  // absent: it cannot be derived, and its value is 0
};

// Bounds of a value.
struct Interval {
    double low = 0;   // not above the value
    double high = 1;  // not below the value
};

// How exact probabilities were compiled.
struct Compilation {
    std::string method;     // "diagrams", "sums", "tables" or "search"
    std::size_t nodes = 0;  // of the circuit
    double width = 0;       // of tables, forecast: the binary logarithm of the rows of the largest
    double rows = 0;        // of tables, forecast: the rows of all
};

// A world of the distribution semantics: the outcome of every random fact and every random instance of a clause.
struct World {
    // A choice and its outcome.
    struct Decided {
        std::string text;      // the atom of a fact, or a ground clause
        std::uint32_t line;    // of the clause; 0: a fact
        double probability;    // of its own
        std::uint32_t choice;  // of those with the same number at most one holds
        bool holds;            // the outcome
    };
    double probability = 0;        // of all that is decided
    double evidence = 0;           // of all worlds that agree with the evidence; 1 without
    std::vector<Decided> decided;  // by choice
    std::vector<bool> answers;     // whether each answer holds in it
};

// How examples are streamed.
struct StreamOptions {
    std::size_t batch = 64;           // examples computed together; results do not depend on it
    std::string doing = "reasoning";  // for the progress function
    ProgressFunction progress = {};   // called now and then; may be empty
};

// How a stream went.
struct StreamSummary {
    std::uint64_t examples = 0;  // that were read
    double seconds = 0;          // that it took
    bool complete = true;        // false: it was enough before the end
};

// A program that is ready to be asked. Used by one thread at a time.
class Session {
public:
    // Throws the exceptions of the maker; Error for queries and weights that do not fit, std::invalid_argument for
    // contradictory options.
    Session(ModelMaker maker, const SessionOptions& options);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    // The program, compiled.
    const Model& model() const;
    std::string description() const;  // of the engine: "graph engine, avx2 kernel"

    // The answers, query by query, and the end of each query's answers.
    const std::vector<Answer>& answers() const;
    // Where each query's answers end.
    const std::vector<std::size_t>& query_ends() const;
    bool is_asked_by_name(std::size_t answer) const;  // by a query without variables
    const std::vector<Answer>& all_atoms() const;     // of the graph

    // Reasons over all examples of a source. `each` is called for every batch, with its session: this one, or one whose
    // program was compiled for the inputs of the examples; it returns false to stop. Conclusions are scored against
    // labels. Throws Error for an example that cannot be used, once all before it have
    // been.
    StreamSummary run(ExampleSource& source, const StreamOptions& options, const std::function<bool(Session&)>& each);
    void count_right(const ScoreOptions& options);  // before run()
    // The scores so far.
    const Score& score() const;

    // Reasons with the program as it stands: a batch of one example without values.
    void run_own_facts();

    // About the last batch, during a call of run(). Examples and answers must be in range.
    std::size_t examples() const;
    // An example of the batch.
    const Example& example(std::size_t example) const;
    // The value of an answer.
    double value(std::size_t answer, std::size_t example) const;
    // How many steps it took.
    std::uint32_t steps(std::size_t example) const;
    // Where the exact value lies: under "sample" with a confidence of 95 %, under "topk" for sure.
    Interval interval(std::size_t answer, std::size_t example) const;
    // With SessionOptions::bounds_at_limit: why exact values are not known, and how to get them; interval() has their
    // bounds.
    const std::optional<std::string>& limit_problem() const;
    // Absent: nothing was compiled, or a program too easy for a choice, or it is not known any more how.
    std::optional<Compilation> compilation() const;
    // With SessionOptions::compare_exact: the exact value, unless there is a problem with that.
    double exact_value(std::size_t answer, std::size_t example) const;
    // Why an exact value is not known; nothing: it is.
    std::optional<std::string> exact_problem(std::size_t example) const;
    // The values of atoms at every step, initial values first: result[step][i] is that of atoms[i].
    std::vector<std::vector<double>> history(std::size_t example, std::span<const AtomIndex> atoms) const;
    // The same for answers; of one that cannot be derived it is 0.
    std::vector<std::vector<double>> history(std::size_t example, const std::vector<Answer>& answers) const;

    // The most probable world that agrees with the evidence.
    World most_probable_world(std::size_t example) const;
    // All worlds: for semirings of your own. Needs the same option.
    WorldCircuit world_circuit(std::size_t example) const;

    // The atoms with a value of their own in an example, by number; and the texts of given atoms on which no answer
    // depends.
    std::vector<AtomIndex> inputs(std::size_t example) const;
    // The texts of given atoms on which no answer depends.
    std::vector<std::string> unneeded_inputs(std::size_t example) const;
    // The derivatives of an answer that can be derived, for all examples at once; then they can be asked for.
    void differentiate(std::size_t answer);
    // By the initial value of an atom.
    double input_gradient(AtomIndex atom, std::size_t example) const;
    // By the weight of a clause.
    double weight_gradient(std::size_t clause, std::size_t example) const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

// What is explained, and in which detail.
struct ExplainSessionOptions {
    ReasonerOptions reason = {};            // how values are computed
    std::vector<std::string> atoms = {};    // to explain, with or without variables; empty: the program's queries
    std::vector<std::string> trusted = {};  // "query3/4": inputs that are never to blame
    std::size_t answers = 1;                // the best matches of an atom with variables
    bool full_if_needed = true;             // grounds all atoms if no given input leads to the queried atom
    std::size_t proofs = 1;                 // derivations, the best first
    double threshold = 0.5;                 // from which on a value counts as true
    // Which atoms are explained by what stands in their way.
    enum class WhyNot : std::uint8_t { WhenFalse, Always, Never };
    WhyNot why_not = WhyNot::WhenFalse;  // when near misses are looked for
    std::size_t near = 3;                // derivations that nearly hold
    bool leave_one_out = false;          // reasons again without each clause and input that has a share
    bool history = false;                // the values of the proof's atoms at every step
    bool in_pictures = false;            // neural atoms come from images
};

// The examples to explain, and the consumer of explanations. Empty fields do not restrict anything.
struct ExplainStream {
    std::function<bool(const Example&)> wanted = {};             // which examples are explained; empty: all
    std::function<void(const Example&, Explanation)> take = {};  // called with every explanation
    std::function<bool()> more = {};                             // after every batch; false: that was enough
};

// A program that is ready to be explained. Used by one thread at a time.
class ExplainSession {
public:
    // Throws the exceptions of the maker; Error for atoms that cannot be explained.
    ExplainSession(ModelMaker maker, const ExplainSessionOptions& options);
    ExplainSession(ExplainSession&&) noexcept;
    ExplainSession& operator=(ExplainSession&&) noexcept;
    ~ExplainSession();

    // The program, compiled.
    const Model& model() const;
    std::vector<ReportSource> sources() const;  // the program's files; none for a saved graph

    // Explains the examples of a source. Throws Error for an example that cannot be used, once all before it have been.
    StreamSummary run(ExampleSource& source, const StreamOptions& options, const ExplainStream& stream);

    // Explains the program as it stands.
    void run_own_facts(const std::function<void(Explanation)>& take);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace neumann
