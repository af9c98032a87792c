// Behind-the-Scenes generator: questions about the result of an operation on a row of objects, without showing it.
// "Which colour is the 2nd object from the left after the cyan one was deleted?"
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/split.h"
#include "scene/place_objects.h"
#include "scene/scene.h"

namespace neumann {

enum class RowOperation : std::uint8_t { Delete, Append, Reverse, Sort };

inline constexpr RowOperation question_operations[] = {RowOperation::Delete, RowOperation::Append,
                                                       RowOperation::Reverse, RowOperation::Sort};

std::string_view operation_name(RowOperation operation);

struct Question {
    RowOperation operation = RowOperation::Delete;
    std::string color;        // deleted, or put to the left end; empty for reverse and sort
    std::uint32_t place = 0;  // asked for, 0 is the left-most
    std::string answer;       // a colour
    std::uint32_t scene = 0;  // number of its scene
};

// The row after the operation, by ordinary list code. Sorting is alphabetical.
std::vector<std::string> row_after(RowOperation operation, const std::string& color, std::vector<std::string> row);

// query3(q,q_delete,cyan,2nd) or query2(q,q_sort,2nd): the atom that is 1 while the question is asked.
std::string query_atom(const Question& question);

struct QuestionOptions {
    std::uint64_t seed = 1;
    Split split = Split::Train;
    std::size_t per_operation = 10'000;
    RowRules row = {};
    unsigned threads = 1;
};

// Item i has two scenes: number 2i, three objects, is asked about deletion, reversal and sorting; number 2i + 1, two
// objects, about a third one put to the left. (Lists are no longer than three, so a row of three has no room for it.)
// Every question has an answer: no absent colour is deleted, no present one added, no place past the end asked for.
// Questions are in random order: operations are mixed, and so are scenes.
struct QuestionSet {
    Split split = Split::Train;
    std::vector<Scene> scenes;
    std::vector<Question> questions;
};
QuestionSet make_questions(const QuestionOptions& options);

// The published form: {"info": {…}, "questions": [{"program": "query3(delete,cyan,2nd)", "question": ["delete", "cyan",
// "2nd"], "answer": "red", "split": "train", "image_index": 45, "image": "…_000045", "image_filename": "…_000045.png",
// "question_index": 7}, …]}.
std::string questions_json(const QuestionSet& set);
// The same objects without info, one on each line.
std::string questions_json_lines(const QuestionSet& set);

struct ReadQuestion {
    Question question;  // .scene is its image_index, 0 without one
    std::string image;  // image_filename
};
// Reads either form, detected by the file's beginning. Throws SceneError.
std::vector<ReadQuestion> read_questions(const std::filesystem::path& path);

}  // namespace neumann
