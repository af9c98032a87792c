// Common code of the parts of the Python module.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <neumann/neumann.h>

#include "cli/check_output.h"
#include "cli/explanation_output.h"
#include "cli/learn_output.h"
#include "cli/text.h"

namespace neumann::python {

namespace py = pybind11;

// A program that has not been compiled: a file, a folder or a text.
struct Source {
    std::optional<std::string> path;
    std::string text;
    std::string name = "program";  // stands for the text's file in messages

    Model compile(const ModelOptions& options) const {
        return path ? Model::open(*path, options) : Model::parse(text, options, name);
    }
    ProgramCheck check(const ModelOptions& options) const {
        return path ? check_program(*path, options) : check_text(text, options, name);
    }
};

// Options come as keyword arguments; a name that does not exist is refused.
ModelOptions model_options(const py::dict& given);
ReasonerOptions reasoner_options(const py::dict& given);

// The registry of each part.
void add_programs(py::module_& module);
void add_arrays(py::module_& module);
void add_sessions(py::module_& module);
void add_languages(py::module_& module);

// Takes a value out of the keyword arguments, if it is there.
template <class Value>
void take(py::dict& given, const char* name, Value& value) {
    if (!given.contains(name)) return;
    try {
        value = given[name].cast<Value>();
    } catch (const py::cast_error&) {
        throw py::type_error(std::string(name) + ": a value of type " +
                             std::string(py::str(py::type::of(given[name]).attr("__name__"))) + " is not accepted");
    }
    given.attr("pop")(name);
}

// All have been taken.
inline void require_taken(const py::dict& given) {
    for (const auto& [name, value] : given)
        throw py::type_error("there is no option '" + std::string(py::str(name)) + "'");
}

}  // namespace neumann::python
