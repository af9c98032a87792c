// Examples: the inputs and the labels of a world, read from lines of JSON or from images; scores against labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <neumann/error.h>
#include <neumann/types.h>

namespace neumann {

struct LookedExample;

// An error in an example: what() is "file:line:column: error: …", for the user.
class ExampleError : public Error {
public:
    // As for Error.
    using Error::Error;
};

// Texts of atoms, each kept once, so that examples can hold numbers in their place. A text stands for itself: two
// spellings of one atom are two texts.
class AtomTexts {
public:
    // The number of a text: the same for the same text, as long as nothing is forgotten.
    std::uint32_t add(std::string_view text);

    // The text of a number.
    const std::string& text(std::uint32_t number) const { return *texts_[number]; }
    // How many texts there are.
    std::size_t size() const { return texts_.size(); }

    // Forgets all texts, and with them the meaning of their numbers: the generation is another one then.
    void clear();
    // Changes whenever texts are forgotten.
    std::uint64_t generation() const { return generation_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> texts_;  // keys of numbers_
    std::uint64_t generation_ = 0;
};

// An error in an example, and its place.
struct ExampleMistake {
    std::string key;           // the name of the field, or the text of an atom
    std::string message;       // for the user
    std::string section = {};  // the field that holds the key; empty: the search for the key starts at the beginning
    std::size_t offset = 0;    // characters into the key
    bool twice = false;        // the second of two such keys is meant
    bool harmless = false;     // a warning: the example is used all the same
    bool is_value = false;     // a target that is a probability: no mistake for those who learn values
};

// All data of one example. Atoms are numbers of texts that belong to the source of the example.
struct Example {
    std::string id = "null";       // as JSON text; of an example in a file its line number if it has none
    std::size_t line = 0;          // in its file, from 1; 0: it comes from none
    std::vector<AtomValue> atoms;  // the inputs

    // A label of the whole example.
    struct Label {
        std::int64_t number;    // 1 or 0, or a class
        bool is_truth = false;  // it was written as true or false
    };
    std::optional<Label> label;  // absent: it has none
    // A label of an atom.
    struct Target {
        std::uint32_t atom;  // its number
        bool positive;       // it is true; else it is false
    };
    std::vector<Target> targets;           // atoms that are known to be so, or not so
    std::vector<AtomValue> value_targets;  // atoms whose probability is known; in `not_understood` as well
    std::string query;                     // the atom that is asked; empty: none
    std::string answer;                    // the term that is the answer; empty: not known
    // Labels, targets or answers that could not be understood.
    std::vector<ExampleMistake> not_understood;

    std::vector<std::filesystem::path> images;  // files, in their order; empty: it has none
    std::shared_ptr<const LookedExample> seen;  // in the images, where it was kept; null: not
};

// Examples, one after the other, from a file, a pipe or images.
class ExampleSource {
public:
    ExampleSource() = default;
    virtual ~ExampleSource() = default;
    ExampleSource(const ExampleSource&) = delete;
    ExampleSource& operator=(const ExampleSource&) = delete;

    // Up to `most` further examples, fewer where one would have to wait for the others, none at the end. Throws
    // ExampleError for an unreadable example, once all earlier ones have been returned.
    virtual std::vector<Example> next(std::size_t most) = 0;

    // The texts of its examples' atoms. Texts may be forgotten when the next examples are read.
    const AtomTexts& texts() const { return texts_; }

    virtual const std::string& name() const = 0;                   // of the file
    virtual std::string place(const Example& example) const = 0;   // "file:line"
    virtual std::size_t total() const { return 0; }                // examples in all; 0: not known
    virtual std::vector<std::string> notes() const { return {}; }  // messages for the user at the end, line by line
    virtual bool all_unreadable() const { return false; }          // there were examples, and all had to be left out

    // The message about an error in one of the examples read last.
    virtual std::string describe(const Example& example, const ExampleMistake& mistake) const = 0;

protected:
    AtomTexts texts_;  // of its examples' atoms
};

// Examples as JSON Lines: {"id": …, "atoms": {"color(obj0,red)": 0.9, …}, "label": …, "targets": {atom: 0 or 1, …},
// "query": …, "answer": …, "images": […]}, all but "atoms" optional; other keys are ignored. The file
// may be of any length; "-" is standard input. Throws Error if it cannot be opened.
std::unique_ptr<ExampleSource> open_examples(const std::string& path);

// The same from a text; `name` stands for its file in messages.
std::unique_ptr<ExampleSource> read_examples(std::string text, std::string name = "examples");

// Yes or no, as it is and as it was concluded.
struct BinaryScore {
    std::size_t true_positives = 0;   // concluded and true
    std::size_t false_positives = 0;  // concluded, but not true
    std::size_t true_negatives = 0;   // neither concluded nor true
    std::size_t false_negatives = 0;  // true, but not concluded

    // Adds a case.
    void count(bool truth, bool concluded) {
        ++(truth ? (concluded ? true_positives : false_negatives) : (concluded ? false_positives : true_negatives));
    }
    // Cases that were concluded as they are.
    std::size_t right() const { return true_positives + true_negatives; }
    // All cases.
    std::size_t all() const { return right() + false_positives + false_negatives; }
    // Whether there are both: without positives or without negatives, precision, recall and F1 are undefined.
    bool has_both() const { return true_positives + false_negatives > 0 && true_negatives + false_positives > 0; }

    // All are 0 where there is nothing to count.
    double accuracy() const { return share(right(), all()); }
    // The share of conclusions that are true.
    double precision() const { return share(true_positives, true_positives + false_positives); }
    // The share of truths that are concluded.
    double recall() const { return share(true_positives, true_positives + false_negatives); }
    // The harmonic mean of precision and recall.
    double f1() const { return share(2 * true_positives, 2 * true_positives + false_positives + false_negatives); }

private:
    static double share(std::size_t part, std::size_t all) {
        return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
    }
};

// Answers to questions: each is right or not.
struct AnswerScore {
    std::size_t right = 0;  // how many are right
    std::size_t all = 0;    // of so many

    // The share that is right; 0 where there is nothing to count.
    double accuracy() const { return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all); }
};

// How conclusions are scored.
struct ScoreOptions {
    std::optional<std::int64_t> positive = {};  // labels are numbers of classes, and the program is about this one
    double threshold = 0.5;                     // from which on an atom counts as true
};

// The scores of a run.
struct Score {
    BinaryScore labels;               // of whole examples
    BinaryScore targets;              // of atoms
    AnswerScore answers;              // of questions
    bool labels_are_classes = false;  // one was neither 0 nor 1, and no positive class was given
    // Labels that could not be counted: their number, and the errors of the first few, for the user.
    std::size_t not_understood = 0;
    std::vector<std::string> problems;  // for the user
};

}  // namespace neumann
