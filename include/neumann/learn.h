// Learning from examples: the clauses, weights or probabilities of a program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/error.h>
#include <neumann/examples.h>
#include <neumann/learn_options.h>
#include <neumann/model.h>
#include <neumann/perceive.h>

namespace neumann {

// The goal of learning.
enum class LearnGoal : std::uint8_t {
    Clauses,        // of the predicates that the program's `learn` directives name
    Weights,        // marked t(_):: or t(0.3)::, with the least loss of the values that a semantics gives to labels
    Probabilities,  // marked in the same way: those under which the observations are most likely
};

// The files that a task consists of.
enum class TaskFormat : std::uint8_t {
    Program,  // a program file or folder, and examples in files of their own
    Popper,   // a folder: bias.pl (the language bias), bk.pl (background), exs.pl (pos(…) and neg(…))
    Aleph,    // STEM.b (modes, determinations, settings), STEM.f and STEM.n (examples), or one file with sections
};

// A learning task: the goal, and its files.
struct LearningTask {
    std::filesystem::path program;            // its file or folder; of Aleph: the stem
    TaskFormat format = TaskFormat::Program;  // what the files are
    LearnGoal goal = LearnGoal::Clauses;      // what is learned
    // Labelled examples. For clauses and weights JSON Lines; for clauses also images, as a folder with folders true and
    // false in it, or a list; for probabilities observations, as JSON Lines or evidence(heads(c1),true). with
    // lines "---" between examples. Tasks of Popper and Aleph have their training examples in their own files, and
    // others in files of the same form; of Popper, a folder with bk.pl and exs.pl as `test` has a background of its
    // own. `train` must be given unless the format has it. `validation` decides when a program is good enough, else the
    // training examples do; `test` is read once, for the final scores.
    std::string train = {};
    std::string validation = {};  // may be empty
    std::string test = {};        // may be empty
    bool ignore_constraints =
        false;  // rules of Popper's bias.pl and directives of Aleph that are not understood are left out, with a note
    std::optional<std::int64_t> positive = {};  // labels are numbers of classes: this one against all others
    std::vector<std::string> given = {};        // programs learned before, whose learned clauses are taken over
    LookOptions look = {};                      // how images are read by networks
    // Options of reading the program, of diagnostics, memory and threads; the rest does not apply.
    ModelOptions reading = {};
};

// A round of the search for clauses.
struct LearnRound {
    std::size_t lesson = 0;                            // from 0
    std::size_t start = 0;                             // which of the lesson's starting points, from 1
    std::uint32_t round = 0;                           // from 1
    std::uint32_t rounds = 0;                          // at most
    std::size_t clauses = 0;                           // that were scored
    std::vector<std::pair<std::string, double>> best;  // the clauses with the highest scores, the best first
    double uniform_weight = 0;                         // of all candidates while they were scored
    double negative_share = 0;                         // the share of negative examples that counted
    double loss = 0;                                   // of the best program so far
    double seconds = 0;                                // that the round took
    double scoring_seconds = 0;                        // of these
};

// An epoch of weighing clauses against each other.
struct LearnEpoch {
    std::size_t lesson = 0;          // from 0
    std::size_t start = 0;           // which of the lesson's starting points, from 1
    std::uint32_t restart = 0;       // from 0
    std::uint32_t epoch = 0;         // from 1
    std::uint32_t epochs = 0;        // at most
    double train_loss = 0;           // mean over the epoch's batches
    double validation_loss = 0;      // of the weights after it; on the training examples if there are no others
    double validation_accuracy = 0;  // the share of labels on the right side of the threshold
    double seconds = 0;              // that learning has taken so far, earlier runs that it resumes included
};

// A clause of the result.
struct LearnedClause {
    std::string text;             // without its weight
    double weight = 1;            // or its probability
    std::string predicate;        // "kp/1"
    std::size_t line = 0;         // of the program, if it was there before
    std::optional<double> start;  // the weight before
    // Probabilities: the expected count of its choice, out of the count of choices that an example depends on; 0: the
    // data do not depend on it.
    double chosen = 0;
    double decided = 0;  // the expected count of all outcomes of that choice
};

// A declaration that excludes a better clause, that clause, and its value.
struct LearnLimit {
    std::string what;     // "recall of modeb(1, closeby(+object,+object))"
    std::string advice;   // the change that would help
    std::string clause;   // the clause that would then be there
    double accuracy = 0;  // on all labels, with that clause
};

// The program of one depth: of so many goals in a clause beyond those of the initial clause.
struct LearnDepth {
    std::size_t depth = 0;           // goals
    std::string program;             // its clauses, a line each
    double train_accuracy = 0;       // on training labels
    double validation_accuracy = 0;  // on validation labels
    bool complete = false;           // no clause of this depth gets more training labels right
};

// A clause that the examples do not tell from the learned one: as short, and enough labels are right with it.
struct LearnRival {
    std::string clause;              // its text
    double train_accuracy = 0;       // on training labels
    double validation_accuracy = 0;  // on validation labels
};

// Labels of one set of examples that the program gets wrong.
struct WrongLabels {
    // A label that the program gets wrong.
    struct Label {
        std::size_t line = 0;   // of the example; 0: it is not from a file of lines
        std::string id;         // of the example
        std::string atom;       // canonical text
        bool positive = false;  // the label says that it is true
        float value = 0;        // that the program gives it
    };
    std::string file;          // of the examples
    std::size_t labels = 0;    // how many there are
    std::size_t wrong = 0;     // how many of them are wrong
    std::vector<Label> first;  // a few of them
};

// The accuracy of the learned program on a set of examples.
struct LearnScore {
    std::size_t examples = 0;                   // how many there are
    std::size_t labels = 0;                     // how many they have
    double accuracy = 0;                        // the share of labels on the right side of the threshold
    std::optional<BinaryScore> counts;          // of clauses
    double loss = 0;                            // of weights: the mean over the labels
    double squared_error = 0;                   // of weights: the mean over labels that are atoms
    std::size_t certain = 0;                    // of weights: labels that are true, false or an answer
    std::optional<double> log_likelihood = {};  // of probabilities: the sum over the examples, natural logarithm
    std::string impossible = {};                // the first example that cannot be true: "file:line"
};

// Statistics of a search for clauses, and its result.
struct LearnSearch {
    std::size_t size = 0;          // literals of the program, heads too
    std::uint64_t candidates = 0;  // clauses and programs that were evaluated
    std::uint32_t rounds = 0;      // of scoring by gradients
    unsigned finished_body = 0;    // all clauses with so many goals, and without recursion, have been dealt with
    bool searched = false;         // the exhaustive search has taken part
    bool shortest = false;         // no shorter program is right
    // Why the search ended: proven (no shorter program is right), exhausted (nothing is left to try), settled (a right
    // program has not become shorter for long), work limit, time limit, memory, stopped. Empty: there was none.
    std::string ended;
    std::uint64_t work = 0;  // that it did, in the units of the limit
};

// The result of learning.
struct LearnResult {
    LearnGoal goal = LearnGoal::Clauses;  // what was learned
    std::string algorithm;                // that found the clauses of the last lesson
    std::vector<LearnedClause> clauses;   // or those of the program whose numbers were learned
    // The whole program with its learned parts. Numbers keep their marks, t(0.3)::, if learning was stopped, so that it
    // can go on from there.
    std::string program;
    LearnScore train;                      // on the training examples
    std::optional<LearnScore> validation;  // on the validation examples, if there are any
    std::optional<LearnScore> test;        // on the test examples, if there are any
    double threshold = 0.5;                // from which on an atom counts as true
    bool interrupted = false;              // it was stopped: the best so far
    double seconds = 0;                    // of learning, in this run and in those it resumes

    // Clauses.
    LearnSearch search;
    double soft_accuracy = 0;               // on validation, before the program was made discrete
    std::uint64_t errors = 0;               // labels that the discrete program gets wrong in training and validation
    std::vector<WrongLabels> wrong_labels;  // … by example, for each of the two where there are any
    WrongLabels wrong_in_test;              // those of the test examples
    std::vector<LearnLimit> limits;         // the most promising first
    std::vector<LearnDepth> depths;         // of the last lesson, if it was learned by depth
    double enough = 0;                      // the share of validation labels at which a depth is taken
    std::vector<LearnRival> rivals;         // of its clause, those with the fewest wrong training labels first
    std::size_t rivals_found = 0;           // of which `rivals` has some
    // Programs of as many literals that get the same training labels right: some of them, clauses in lines.
    std::vector<std::string> equals;
    std::vector<std::string> notes;  // about the task and its search, as they were told while it ran
    std::vector<std::string> proof;  // what the exhaustive search has ruled out and why, a line each
    std::vector<LearnRound> rounds;  // in the order in which they were made
    std::vector<LearnEpoch> epochs;  // in the order in which they were made
    double scoring_seconds = 0;      // of the seconds, in this run: scoring candidates
    double diagnosis_seconds = 0;    // after learning: finding out why labels are wrong

    // Why the program is Prolog text (.pl) and no program of the language, with file and line; empty: it is one.
    std::string only_prolog;

    // Weights and probabilities.
    std::size_t different_examples = 0;
    double start_objective = 0;      // the loss, or the log-likelihood, before
    std::size_t without_effect = 0;  // positive labels that the program cannot derive with any weights
    std::uint32_t iterations = 0;    // that were made
    bool converged = true;           // else there were as many iterations as are allowed, or it was stopped

    // Whether the program has clauses, and no label of training and validation is wrong.
    bool is_right() const { return errors == 0 && !clauses.empty(); }
};

// The clauses that a program's `learn`, mode and `initial` directives allow, in the order of the search: from general
// ones to their least specialisations. For searches of one's own, such as one that trains networks at the same time.
class ClauseLanguage {
public:
    // Of a program's text. Throws Error if it is wrong or says nothing of what to learn.
    explicit ClauseLanguage(std::string text, const ModelOptions& reading = {}, const SearchBounds& bounds = {},
                            std::string name = "program");
    ClauseLanguage(ClauseLanguage&&) noexcept;             // the other may only be assigned to afterwards
    ClauseLanguage& operator=(ClauseLanguage&&) noexcept;  // the same
    ~ClauseLanguage();                                     // numbers of clauses mean nothing without it

    // What is to be learned: each predicate ("kp/1"), and how many clauses it may have.
    std::vector<std::pair<std::string, std::uint32_t>> targets() const;
    // The text of the program without the clauses that it has of what is to be learned.
    const std::string& background() const;
    // The clauses from which the search starts, by their numbers.
    std::vector<std::size_t> first();
    // The least specialisations of a clause. Equal clauses have equal numbers, however they are reached.
    std::vector<std::size_t> refine(std::size_t clause);

    // The text of a clause, with its dot.
    std::string text(std::size_t clause) const;
    // The text of the shortest clause that is equivalent, whatever the program.
    std::string shortest_text(std::size_t clause);
    // The predicate that a clause is of: "kp/1".
    std::string predicate(std::size_t clause) const;
    // The goals in its body.
    std::size_t goals(std::size_t clause) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Progress of learning: events that the caller may handle.
class LearnProgress {
public:
    virtual ~LearnProgress() = default;
    virtual void message(const std::string&) {}  // a warning, as the command prints it
    virtual void note(const std::string&) {}     // other information for the user
    // Networks begin to see the images of a place.
    virtual void looking_begins(const std::string& /*images*/) {}
    // So many images have been seen.
    virtual void looking_at_images(std::size_t /*done*/, std::size_t /*total*/) {}
    virtual void learning_begins() {}  // all has been read
    // A lesson begins: the predicates whose clauses are learned now.
    virtual void lesson_begins(std::size_t /*lesson*/, std::size_t /*lessons*/,
                               const std::vector<std::string>& /*predicates*/) {}
    virtual void search_begins(const std::vector<std::string>& /*clauses*/) {}  // from which it starts
    // A round of scoring has ended.
    virtual void round_done(const LearnRound&) {}
    // The exhaustive search, about each second: candidates, finished goals and work, the size of the best program so
    // far, and the training labels that it gets wrong.
    virtual void search_goes_on(const LearnSearch& /*so_far*/, std::size_t /*wrong_labels*/) {}
    // Weights of so many clauses begin to be learned.
    virtual void weighing_begins(std::size_t /*clauses*/) {}
    // An epoch of weights has ended.
    virtual void epoch_done(const LearnEpoch&) {}
    // A better program was found.
    virtual void program_found(std::size_t /*clauses*/, std::uint64_t /*wrong_labels*/, const std::string& /*first*/) {}
    // Declarations that stand in the way begin to be looked for.
    virtual void looking_for_limits() {}
    // Of weights and probabilities: the loss, or the log-likelihood, after an iteration.
    virtual void iteration_done(std::uint32_t /*iteration*/, double /*objective*/) {}
};

// Learns the task's goal. The same task and options give the same result, on any machine and any number of threads,
// unless it is stopped. `stop`: once it is true, learning ends with the best so far; it may be set by a signal handler.
// Throws Error.
LearnResult learn(const LearningTask& task, const LearnOptions& options = {}, LearnProgress* progress = nullptr,
                  const std::atomic<bool>* stop = nullptr);

}  // namespace neumann
