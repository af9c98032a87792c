// Languages of clauses: what a search that trains networks at the same time asks the search for clauses.
#include <utility>

#include "core.h"

namespace neumann::python {

void add_languages(py::module_& module) {
    using Released = py::call_guard<py::gil_scoped_release>;
    py::class_<ClauseLanguage>(module, "ClauseLanguage")
        .def(py::init([](std::string text, const py::dict& model, std::uint32_t max_body, std::uint32_t max_variables,
                         std::string name) {
                 const ModelOptions reading = model_options(model);
                 const SearchBounds bounds{.max_body = max_body, .max_variables = max_variables};
                 return ClauseLanguage(std::move(text), reading, bounds, std::move(name));
             }),
             py::arg("text"), py::arg("model"), py::arg("max_body"), py::arg("max_variables"), py::arg("name"))
        .def_property_readonly("targets", &ClauseLanguage::targets)
        .def_property_readonly("background", &ClauseLanguage::background)
        .def("first", &ClauseLanguage::first, Released())
        .def("refine", &ClauseLanguage::refine, py::arg("clause"), Released())
        .def("text", &ClauseLanguage::text, py::arg("clause"))
        .def("shortest_text", &ClauseLanguage::shortest_text, py::arg("clause"))
        .def("predicate", &ClauseLanguage::predicate, py::arg("clause"))
        .def("goals", &ClauseLanguage::goals, py::arg("clause"));
}

}  // namespace neumann::python
