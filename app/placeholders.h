// {placeholders} in the texts of an experiment: loop variables, settings, and folders that are only known when it runs.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checked_json.h"

namespace neumann::app {

// Loop variables and the value that each has, in the order of the loops.
using Bindings = std::vector<std::pair<std::string, Json>>;

const Json* binding(const Bindings& bindings, const std::string& variable);  // null: not bound
std::string plain_text(const Json& scalar);                                  // a text without its quotes
std::string plain_text(const Bindings& bindings);                            // "pattern closeby, seed 1"

class PlaceholderError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// {name} is a loop variable, a setting or a folder; {name[variable]} is the entry of a setting that is an object under
// the variable's value, or, for {work[experiment]}, the folder of another experiment. {{name}} is {name} itself. Other
// braces mean nothing. Borrows the settings.
class Placeholders {
public:
    Placeholders(const Json& settings, std::vector<std::pair<std::string, std::string>> folders)
        : settings_(&settings), folders_(std::move(folders)) {}

    // Throws PlaceholderError for a name that is not known, and for a list or an object where a text is wanted.
    std::string fill(const std::string& text, const Bindings& bindings) const;
    // An argument that is nothing but a placeholder for a list becomes that many arguments.
    std::vector<std::string> fill_arguments(const std::vector<std::string>& arguments, const Bindings& bindings) const;

private:
    Json value_of(const std::string& name, const std::string& index, const Bindings& bindings) const;

    const Json* settings_;
    std::vector<std::pair<std::string, std::string>> folders_;
};

}  // namespace neumann::app
