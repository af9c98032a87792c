// Explanation sessions: a program, examples in, explanations out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <neumann/explanation.h>
#include <neumann/session.h>

namespace neumann {

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
