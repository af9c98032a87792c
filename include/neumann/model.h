// Compiled program: read, checked and grounded once, then shared by all its users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/error.h>
#include <neumann/types.h>

namespace neumann {

class ExampleSource;
struct ImageExampleOptions;

struct ReasonerOptions;  // see reasoner.h

// Which ground atoms and clauses a model is made of.
enum class Grounding {
    Relevant,  // the part that facts and inputs can reach and queries depend on
    Full,      // every typed atom and every typed substitution: the paper's definition
};

// The treatment of facts.
enum class Facts {
    Keep,      // facts and their consequences stay in the graph
    Evaluate,  // atoms that are 1 for every setting of weights and inputs are computed away
};

// How a program is compiled. Every member has an initialiser, so that GCC does not warn about {.inputs = {…}} alone.
struct ModelOptions {
    // The queries: "ancestor(ann,X)". If there are any, they replace the program's own.
    std::vector<std::string> queries = {};
    std::string queries_from = "--query";  // stands for their place in messages
    // Predicates ("edge/2") whose atoms get values from a batch, as if the program declared them neural; and single
    // atoms ("edge(a,b)") that do: they open no types, so others of their predicate stay impossible.
    std::vector<std::string> inputs = {};
    Grounding grounding = Grounding::Relevant;  // which atoms and clauses there are
    Facts facts = Facts::Keep;                  // how facts are treated
    // Whether queries with known arguments ground only the part that they reach; the result is the same.
    bool demand = true;
    // Tables of facts to read besides the program, each as in :- facts(…): "edge/2, 'edges.csv'".
    std::vector<std::string> tables = {};
    // How deep functors nest in a term; replaces the program's own bounds.
    std::optional<std::uint32_t> term_depth = {};
    // Predicates whose arguments must all differ: "none", "all" or "edge/2,path"; replaces the program's own.
    std::optional<std::string> distinct = {};
    // Whether lists may hold an element twice; replaces the program's own.
    std::optional<bool> allow_repeats = {};
    // For a folder in the format of the original code: which of its files holds the clauses, and a file of directives
    // to add; empty: none.
    std::string clauses_file = "clauses.txt";
    std::filesystem::path modes_file = {};  // empty: none
    // Bytes beyond which compiling stops with an Error; 0: four fifths of the free memory.
    std::uint64_t memory_limit = 0;
    // Numbers beyond the program's own that arithmetic and aggregates may come to; more are an Error.
    std::uint64_t most_new_numbers = 1'000'000;
    // 0: as many as the machine has cores. The result does not depend on it.
    unsigned threads = 0;
    // Warnings that are not wanted, by their codes, or "all".
    std::vector<std::string> no_warnings = {};
    // How many errors are in the text of an Error, 0 for all; and whether it has the colours of a terminal.
    std::size_t max_errors = 0;
    bool colours = false;            // of a terminal
    ProgressFunction progress = {};  // called now and then; may be empty
};

// How large a model is.
struct ModelSizes {
    // A predicate, and how many atoms it has.
    struct Predicate {
        std::string name;       // "color/2"
        bool neural = false;    // its atoms get values from examples
        std::size_t atoms = 0;  // how many there are
    };
    // A rule, and what it takes.
    struct Rule {
        std::string clause;           // canonical text
        std::string file;             // empty: not known
        std::uint32_t line = 0;       // of that file, from 1
        std::uint64_t instances = 0;  // ground clauses
        std::uint64_t edges = 0;      // body literals of all instances
        std::uint64_t bytes = 0;      // of memory
        double seconds = 0;           // that grounding it took
    };
    std::string grounding;              // full, relevant, or resolved
    std::uint64_t terms = 0;            // full: the typed universe; relevant: terms in atoms
    std::uint64_t atoms = 0;            // how many there are
    std::uint64_t ground_clauses = 0;   // instances of all rules
    std::uint64_t nodes = 0;            // atoms and conjunctions of the graph
    std::uint64_t edges = 0;            // of the graph
    std::uint64_t graph_bytes = 0;      // of the graph in memory
    std::uint64_t label_bytes = 0;      // of the names of atoms
    std::uint64_t peak_bytes = 0;       // the most memory that this process has had so far
    double seconds = 0;                 // that compiling took
    std::vector<Predicate> predicates;  // in the order of their declarations
    std::vector<Rule> rules;            // in the order of the program
};

// How deep its graph is: the strongly connected components of the atoms, and the levels in which they can be computed.
struct ModelLevels {
    std::uint32_t levels = 0;             // in which atoms can be computed
    std::uint32_t components = 0;         // how many there are
    std::uint32_t cyclic_components = 0;  // of several atoms, or of one that depends on itself
};

// A text format of graphs.
enum class GraphFormat : std::uint8_t {
    Dot,  // for Graphviz
    Json,
    Cnf,  // weighted clauses of its exact probabilities: for model counters
    Nnf,  // their circuit, of one query, as c2d and d4 write it
};

// Copies share the one compiled program, so copying is cheap. All functions may be called from several threads at once;
// functions that take or return the text of an atom wait for each other.
class Model {
public:
    // Compiles a program file, or a folder in the format of the original code. Throws Error.
    static Model compile(const std::filesystem::path& path, const ModelOptions& options = {});

    // Compiles a program text in UTF-8; `name` stands for its file in messages. Throws Error.
    static Model parse(std::string text, const ModelOptions& options = {}, std::string name = "program");

    // Opens a graph saved by save() or by `neumann graph -o FILE.nmg`. The file is mapped rather than read: this takes
    // milliseconds, and it must not be changed while the model is in use. Throws Error.
    static Model load(const std::filesystem::path& path);

    // Whether a file is a saved graph, by its content.
    static bool is_saved(const std::filesystem::path& path);

    // Opens a saved graph, and compiles anything else.
    static Model open(const std::filesystem::path& path, const ModelOptions& options = {});

    // Writes the model to a file that load() opens; either all of it or, if Error is thrown, nothing.
    void save(const std::filesystem::path& path) const;

    // Compiles the exact probabilities of the queries, or of all that rules derive, once for all reasoners of this
    // model and its copies; save() writes them along, and load() finds them again. Of the options those about exact
    // probabilities count: limits and progress. Returns the number of nodes of the circuit. Throws Error if it is too
    // hard.
    std::size_t compile_exact(const ReasonerOptions& options) const;
    // The same with the default options.
    std::size_t compile_exact() const;

    // How large it is, predicate by predicate and rule by rule.
    ModelSizes sizes() const;

    // Computed when it is first asked for, in time linear in the edges.
    ModelLevels levels() const;

    // Writes the graph as text, piece by piece, so that a large one never stands in memory as such. Throws Error for
    // exact probabilities that are too hard, or have no clauses because atoms depend on themselves.
    void export_graph(GraphFormat format, const std::function<void(const std::string&)>& write) const;

    // The warnings of compiling, for the user; empty for a loaded model.
    const std::string& warnings() const;

    // The queries it was compiled for, as canonical text. matching() returns their atoms.
    const std::vector<std::string>& queries() const;

    // How many ground atoms the graph has.
    std::size_t atom_count() const;

    // The canonical text of an atom: "color(obj0,red)". Throws std::invalid_argument if there is no such atom.
    std::string atom_name(AtomIndex atom) const;

    // The probability of the atom's fact; 0 for atoms without one, and for inputs that examples set.
    float initial_value(AtomIndex atom) const;

    // The atom of this text, or nothing if it is not in the graph: under relevant grounding because it cannot be
    // derived (its value is 0) or because no query depends on it. Throws Error unless the text is a ground atom of the
    // program. A text that was looked up before is found without parsing it again.
    std::optional<AtomIndex> find_atom(std::string_view text) const;

    // The atoms of the graph that match an atom with or without variables, such as "color(X,red)", in the order of
    // their numbers. Throws Error unless the text is an atom of the program. Takes time linear in the atoms of the
    // predicate.
    std::vector<AtomIndex> matching(std::string_view query) const;

    // All ground atoms that an atom with or without variables stands for, as the types of the program have them,
    // whether they are in the graph or not: for "digit(a,D)" one for every digit, in the order in which they are
    // declared; the last variable changes first. Of types without bounds, those of the graph. Throws Error unless the
    // text is an atom of the program.
    struct Instance {
        std::string text;               // canonical text
        std::optional<AtomIndex> atom;  // absent: it is not in the graph
        bool can_be_given = true;       // false: the program was compiled as if it had no values of its own
    };
    // The instances of an atom with or without variables.
    std::vector<Instance> instances(std::string_view pattern) const;

    // How many clauses the program has. They are numbered from 0, in the order of the program; facts are no clauses.
    std::size_t clause_count() const;

    // The canonical text of a clause, with the weight if one was written. Throws std::invalid_argument if there is no
    // such clause.
    const std::string& clause_text(std::size_t clause) const;

    // The weight of a clause, 1 if none was written. Throws std::invalid_argument if there is no such clause.
    double weight(std::size_t clause) const;

    struct State;  // known to the library alone

private:
    friend class ArrayReasoner;
    friend class Batch;
    friend class Reasoner;
    friend class Session;
    friend class ExplainSession;
    friend std::unique_ptr<ExampleSource> open_image_examples(const Model&, const std::vector<std::string>&,
                                                              const ImageExampleOptions&);
    explicit Model(std::shared_ptr<State> state);

    std::shared_ptr<State> state_;
};

}  // namespace neumann
