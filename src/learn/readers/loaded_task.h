// Learning task as read: the program, the learned predicates, labelled examples, and the language bias. The common
// result of all readers, for any file format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/bias/search_task.h"
#include "learn/readers/background.h"
#include "learn/task/examples.h"
#include "logic/program.h"

namespace neumann {

// Labelled atoms with a background of their own.
struct OtherWorld {
    std::shared_ptr<search::Background> background;
    std::vector<std::vector<search::Value>> tuples;  // arguments of the target, positives first
    std::size_t positives = 0;
};

// Relations and bias that the files of other systems declare, with background that Prolog resolves.
struct DeclaredSearch {
    SearchTask task;  // its labels are those of training
    std::shared_ptr<search::Background> background;
    std::vector<std::vector<search::Value>> tuples;  // arguments of the target, by number of the pool
    std::optional<OtherWorld> test = {};             // in the place of the task's own test examples
};

struct LoadedTask {
    // Analysed, without clauses of the learned predicates: its `learn` directives are the targets, its modes the bias.
    Program program;
    // The same before analysis, which puts clauses in the place of aggregates; none: there are no aggregates.
    std::optional<Program> written = {};
    AtomPool pool;
    ExampleSet train;
    ExampleSet validation;  // empty: there is none
    ExampleSet test;        // the same
    std::optional<DeclaredSearch> declared = {};
    // Why the background cannot be grounded, with file and line: then `program` is a vocabulary without background, and
    // only the search can learn. Empty: it can.
    std::string not_grounded = {};
    std::string background = {};          // its text, if it cannot be grounded
    std::vector<std::string> notes = {};  // of reading
    std::string files = {};               // texts of the files that declare the search
};

}  // namespace neumann
