// Learning clauses from labelled examples: from a program that says what to learn to the program with its clauses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/error.h>
#include <neumann/learn_options.h>
#include <neumann/model.h>
#include <neumann/perceive.h>
#include <neumann/score.h>

namespace neumann {

// What to learn from, and how. docs/learning.md tells how it works.
struct LearnOptions {
    // Labelled examples as JSON Lines, or images: a folder with folders true and false in it, or a list. `train` must
    // be given. `validation` decides when a program is good enough, else the training examples do; `test` is looked at
    // once, when the program is there.
    std::string train = {};
    std::string validation = {};
    std::string test = {};
    // Labels are numbers of classes, of which this one is positive and all others are negative.
    std::optional<std::int64_t> positive = {};
    // Programs that were learned before; their learned clauses are taken over.
    std::vector<std::string> given = {};

    LearnAlgorithm algorithm = default_algorithm;
    // What the search may do, in the units of InduceOptions; absent: about ten seconds of one core where gradients may
    // follow, a minute where the search is alone.
    std::optional<std::uint64_t> work_limit = {};
    double time_limit = 0;  // seconds after which the search is stopped, 0: none; `stop` ends everything
    std::uint64_t seed = 1;
    SearchOptions search = {};
    WeightOptions weights = {};
    std::optional<std::uint32_t> program_size = {};  // clauses of each predicate; absent: as its learn directive says
    bool simplify = true;                            // drop clauses and goals that make no difference

    // While clauses are scored and weighed, and when a program is judged; empty: those that are made for it. Of the
    // published algorithms Neumann takes "paper" (the literal soft-or, its default) or "softor" (the one that leaves 0
    // at 0) while learning; the others have reasoners of their own.
    std::string learning_semantics = {};
    std::string semantics = {};
    // Where clauses are scored and weighed: graph, cuda or auto, as for ReasonerOptions. Which one makes a difference
    // within rounding, and so may, rarely, which of two clauses is found that are as good.
    std::string engine = "graph";
    double gamma = 0.01;                      // how soft the soft-or is
    std::optional<std::uint32_t> steps = {};  // of reasoning; absent: as many as are needed, or 5 if published
    // From which on an atom counts as true; absent: 0.5, or what is best on the validation examples.
    std::optional<double> threshold = {};

    // Where the run is recorded step by step, so that it can go on after a crash or a stop; empty: nowhere. To be
    // removed by whoever has stored the result: until then resuming comes to the same result at once.
    std::filesystem::path journal = {};
    bool resume = false;  // goes on with what the journal holds, if there is one; else it must not exist

    // How images are looked at, where examples are images.
    LookOptions look = {};
    // How the program is read, what is said about it, memory and threads; the rest does not apply.
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
    double uniform_weight = 0;
    double negative_share = 0;
    double loss = 0;
    double seconds = 0;
    double scoring_seconds = 0;  // of these
};

// An epoch of weighing clauses against each other.
struct LearnEpoch {
    std::size_t lesson = 0;
    std::size_t start = 0;
    std::uint32_t restart = 0;   // from 0
    std::uint32_t epoch = 0;     // from 1
    std::uint32_t epochs = 0;    // at most
    double train_loss = 0;       // mean over the epoch's batches
    double validation_loss = 0;  // of the weights after it; on the training examples if there are no others
    double validation_accuracy = 0;
    double seconds = 0;  // that learning has taken so far, earlier runs that it resumes included
};

struct LearnedClause {
    std::string text;  // without its weight
    double weight = 1;
    std::string predicate;  // "kp/1"
};

// Something that the declarations do not allow, what it would make possible, and what that would be worth.
struct LearnLimit {
    std::string what;     // "recall of modeb(1, closeby(+object,+object))"
    std::string advice;   // what to change
    std::string clause;   // the clause that would then be there
    double accuracy = 0;  // on all labels, with that clause
};

// Labels of one set of examples that the program gets wrong.
struct WrongLabels {
    struct Label {
        std::size_t line = 0;  // of the example; 0: it is not from a file of lines
        std::string id;
        std::string atom;
        bool positive = false;
        float value = 0;
    };
    std::string file;
    std::size_t labels = 0;
    std::size_t wrong = 0;
    std::vector<Label> first;  // a few of them
};

struct LearnResult {
    LearnAlgorithm algorithm = LearnAlgorithm::Gradient;  // that found the clauses of the last lesson
    std::vector<LearnedClause> clauses;
    std::string program;  // the whole program with its learned clauses
    std::optional<double> train_accuracy;
    std::optional<double> validation_accuracy;
    std::optional<double> test_accuracy;
    std::optional<BinaryScore> train_labels;  // how they and the program agree at the threshold
    std::optional<BinaryScore> validation_labels;
    std::optional<BinaryScore> test_labels;
    double threshold = 0.5;
    double soft_accuracy = 0;               // on validation, before the program was made discrete
    std::uint64_t errors = 0;               // labels that the discrete program gets wrong in training and validation
    std::vector<WrongLabels> wrong_labels;  // … by example, for each of the two where there are any
    WrongLabels wrong_in_test;              // those of the test examples
    std::vector<LearnLimit> limits;         // the most promising first
    std::uint32_t round_count = 0;
    std::uint64_t clauses_scored = 0;
    std::string search_ended;  // as InduceResult::ended, of the last search; empty: there was none
    std::uint64_t search_work = 0;
    std::vector<LearnRound> rounds;
    std::vector<LearnEpoch> epochs;
    double seconds = 0;            // of learning, in this run and in those that it resumes
    double scoring_seconds = 0;    // of these, in this run: scoring candidates
    double diagnosis_seconds = 0;  // after learning: finding out why labels are wrong
    bool interrupted = false;      // it was stopped: the best program so far
};

// Told what is going on; all of it may be ignored.
class LearnProgress {
public:
    virtual ~LearnProgress() = default;
    virtual void message(const std::string&) {}  // a warning, as the command prints it
    virtual void note(const std::string&) {}     // what is good to know
    virtual void looking_begins(const std::string& /*images*/) {}
    virtual void looking_at_images(std::size_t /*done*/, std::size_t /*total*/) {}
    virtual void learning_begins() {}  // all has been read
    virtual void lesson_begins(std::size_t /*lesson*/, std::size_t /*lessons*/,
                               const std::vector<std::string>& /*predicates*/) {}
    virtual void search_begins(const std::vector<std::string>& /*clauses*/) {}  // from which it starts
    virtual void round_done(const LearnRound&) {}
    virtual void weighing_begins(std::size_t /*clauses*/) {}
    virtual void epoch_done(const LearnEpoch&) {}
    virtual void program_found(std::size_t /*clauses*/, std::uint64_t /*wrong_labels*/, const std::string& /*first*/) {}
    virtual void looking_for_limits() {}
};

// Learns the clauses that the program's `learn` directives ask for; clauses that it has for them are left out. The same
// options give the same program, on any number of threads. `stop`: once it is true, learning ends with the best program
// so far; it may be set by a signal handler. Throws Error.
LearnResult learn(const std::filesystem::path& program, const LearnOptions& options, LearnProgress* progress = nullptr,
                  const std::atomic<bool>* stop = nullptr);

// "FILE: 2 of 10 labels wrong", and of the first few where they stand (a line of a file, or a picture), what is true
// and what they get. Empty if all are right.
std::string to_text(const WrongLabels& labels);

// Pictures of the rounds, the epochs and the program, in SVG.
std::string learning_curves_svg(const LearnResult& result, const std::string& title);

}  // namespace neumann
