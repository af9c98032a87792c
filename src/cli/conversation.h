// Interactive session: a program that grows line by line, with queries and explanations. The engine of `neumann repl`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {

// Only correct input changes the program: the answer to incorrect input is its error.
class Conversation {
public:
    explicit Conversation(ReasonerOptions reason = {}, ModelOptions reading = {});

    // One line: part of a clause, which ends with a full stop; a question, p(X)? or ?- p(X).; or a command such as
    // :explain p(a). Returns the answer, which is empty or ends with a line break.
    std::string say(const std::string& line);

    // For lines that come from a file or a pipe: additions are checked together, at the latest before the next question
    // or command, so that thousands of them take seconds. A clause may use what later lines define. Errors are
    // returned by take_errors() instead of say().
    void read_ahead() { reads_ahead_ = true; }
    void finish();  // checks what is left
    std::string take_errors() { return std::exchange(errors_, {}); }

    // For people at a terminal: additions are confirmed, with a hint where they may be meant otherwise, and answers of
    // programs without probabilities are true or false.
    void talk_to_people() { is_interactive_ = true; }

    // A clause or a question has begun and not ended.
    bool wants_more() const { return !begun_.empty(); }
    void forget_begun() { begun_.clear(); }
    bool is_over() const { return over_; }
    bool has_errors() const { return has_errors_; }  // some input was wrong

    // Completions of a word's beginning: commands, predicates, constants, directives.
    std::vector<std::string> completions(const std::string& word) const;

    std::string program() const;
    // Adds the clauses of a file. Throws Error.
    void load(const std::filesystem::path& file);

private:
    std::string command(const std::string& line);
    std::string help() const;
    std::string list() const;
    std::string undo();
    std::string save(const std::string& file) const;
    std::string set_semantics(const std::string& name);
    std::string take(const std::string& line);
    std::string guarded(const std::function<std::string()>& work);
    std::string failed(std::string text);
    void add(const std::string& text, const std::string& name = {});
    void add_checked(const std::string& text);
    std::string add_waiting();
    std::string added(const std::string& clause) const;
    std::string ask(const std::string& goal);
    std::string more(const std::string& how_many);
    std::string explain(const std::string& atom) const;

    ReasonerOptions reason_;
    ModelOptions reading_;
    std::vector<std::string> parts_;    // in the order in which they were added
    std::vector<std::string> waiting_;  // additions that are not checked yet
    std::size_t checked_bytes_ = 0;     // of the parts
    std::size_t waiting_bytes_ = 0;
    std::string begun_;
    std::string errors_;                // not taken yet
    std::vector<std::string> further_;  // answers to the last question that are not shown yet, the next one last
    bool reads_ahead_ = false;
    bool is_interactive_ = false;
    bool over_ = false;
    bool has_errors_ = false;
};

}  // namespace neumann
