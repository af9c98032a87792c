// Programs and models: reading, checking, compiling, looking into them.
#include <tuple>

#include "core.h"
#include "interruptible.h"

namespace neumann::python {
namespace {

py::dict place_of(const Problem::Place& place) {
    using namespace py::literals;
    return py::dict("file"_a = place.file, "line"_a = place.line, "column"_a = place.column,
                    "end_line"_a = place.end_line, "end_column"_a = place.end_column);
}

py::list problems_of(const std::vector<Problem>& problems) {
    using namespace py::literals;
    py::list result;
    for (const Problem& one : problems) {
        py::dict problem = place_of(one.place);
        problem["severity"] = one.severity == Problem::Severity::Error ? "error" : "warning";
        problem["code"] = one.code;
        problem["message"] = one.message;
        problem["advice"] = one.advice;
        py::list related;
        for (const Problem::Related& other : one.related) {
            py::dict place = place_of(other.place);
            place["message"] = other.message;
            related.append(place);
        }
        problem["related"] = related;
        result.append(problem);
    }
    return result;
}

// neumann.Error, made in Python, with the diagnostics of ours.
void add_errors(py::module_& module) {
    static py::object error_class;  // never destroyed before the interpreter: it is let go of at its exit
    module.def("set_error_class", [](py::object type) {
        error_class = std::move(type);
        py::module_::import("atexit").attr("register")(py::cpp_function([] { error_class = py::object(); }));
    });
    py::register_exception_translator([](std::exception_ptr thrown) {
        const auto raise = [](const std::string& text, const std::vector<Problem>& problems) {
            if (!error_class) return PyErr_SetString(PyExc_RuntimeError, text.c_str());
            const py::object error = error_class(text, problems_of(problems));
            PyErr_SetObject(error_class.ptr(), error.ptr());
        };
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            raise(error.what(), error.problems());
        } catch (const FileError& error) {
            raise(error.what(), {});
        }
    });
}

std::vector<std::string> clause_texts(const Model& model) {
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < model.clause_count(); ++c) texts.push_back(model.clause_text(c));
    return texts;
}

py::dict check(const Source& source, const py::dict& options) {
    const ModelOptions how = model_options(options);
    const ProgramCheck found = interruptible([&] { return source.check(how); });
    using namespace py::literals;
    py::list predicates;
    for (const CheckedPredicate& one : found.all_predicates) predicates.append(py::make_tuple(one.text, one.origin));
    return py::dict("good"_a = found.good, "problems"_a = problems_of(found.problems), "text"_a = found.text,
                    "program"_a = found.program, "predicates"_a = predicates, "clauses"_a = found.clauses);
}

std::string exported_graph(const Model& model, bool json) {
    std::string text;
    model.export_graph(json ? GraphFormat::Json : GraphFormat::Dot, [&](const std::string& part) { text += part; });
    return text;
}

py::list semantics() {
    using namespace py::literals;
    py::list result;
    for (const SemanticsSummary& one : known_semantics())
        result.append(py::dict("name"_a = one.name, "summary"_a = one.summary, "uses_gamma"_a = one.uses_gamma,
                               "keeps_zero"_a = one.keeps_zero, "needs_steps"_a = one.needs_steps,
                               "has_gradients"_a = one.has_gradients));
    return result;
}

void add_models(py::module_& module) {
    using Released = py::call_guard<py::gil_scoped_release>;
    py::class_<Model>(module, "Model")
        .def_static(
            "load", [](const std::string& path) { return Model::load(path); }, Released())
        .def_static("is_saved", [](const std::string& path) { return Model::is_saved(path); })
        .def(
            "save", [](const Model& model, const std::string& path) { model.save(path); }, Released())
        .def(
            "compile_exact",
            [](const Model& model, const py::dict& given) {
                const ReasonerOptions options = reasoner_options(given);
                return interruptible([&] { return model.compile_exact(options); });
            },
            py::arg("options"))
        .def_property_readonly("warnings", &Model::warnings)
        .def_property_readonly("queries", &Model::queries)
        .def_property_readonly("atom_count", &Model::atom_count)
        .def_property_readonly("clauses", &clause_texts)
        .def_property_readonly("weights",
                               [](const Model& model) {
                                   std::vector<double> weights;
                                   for (std::size_t c = 0; c < model.clause_count(); ++c)
                                       weights.push_back(model.weight(c));
                                   return weights;
                               })
        .def(
            "atom_name", [](const Model& model, std::uint32_t atom) { return model.atom_name(AtomIndex{atom}); },
            Released())
        .def(
            "matching",
            [](const Model& model, const std::string& query) {
                std::vector<std::uint32_t> atoms;
                for (const AtomIndex atom : model.matching(query)) atoms.push_back(static_cast<std::uint32_t>(atom));
                return atoms;
            },
            Released())
        .def("instances",
             [](const Model& model, const std::string& pattern) {
                 std::vector<std::tuple<std::string, std::optional<std::uint32_t>, bool>> result;
                 for (Model::Instance& one : model.instances(pattern)) {
                     std::optional<std::uint32_t> atom;
                     if (one.atom) atom = static_cast<std::uint32_t>(*one.atom);
                     result.emplace_back(std::move(one.text), atom, one.can_be_given);
                 }
                 return result;
             })
        .def("graph", &exported_graph, py::arg("json"), Released());
}

}  // namespace

ModelOptions model_options(const py::dict& given) {
    py::dict left = given.attr("copy")();
    ModelOptions options;
    take(left, "queries", options.queries);
    options.queries_from = "outputs";
    take(left, "queries_from", options.queries_from);
    take(left, "inputs", options.inputs);
    take(left, "tables", options.tables);
    take(left, "term_depth", options.term_depth);
    take(left, "distinct", options.distinct);
    take(left, "allow_repeats", options.allow_repeats);
    take(left, "memory_limit", options.memory_limit);
    take(left, "threads", options.threads);
    take(left, "no_warnings", options.no_warnings);
    bool full = false;
    take(left, "full", full);
    if (full) options.grounding = Grounding::Full;
    require_taken(left);
    return options;
}

ReasonerOptions reasoner_options(const py::dict& given) {
    py::dict left = given.attr("copy")();
    ReasonerOptions options;
    take(left, "semantics", options.semantics);
    take(left, "gamma", options.gamma);
    take(left, "steps", options.steps);
    take(left, "threads", options.threads);
    take(left, "memory_budget", options.memory_budget);
    take(left, "memory_limit", options.memory_limit);
    take(left, "time_limit", options.time_limit);
    take(left, "samples", options.samples);
    take(left, "seed", options.seed);
    take(left, "k", options.k);
    std::string device = "cpu";
    take(left, "device", device);
    options.engine = engine_on(device);
    require_taken(left);
    return options;
}

void add_programs(py::module_& module) {
    add_errors(module);
    py::class_<Source>(module, "Source")
        .def(py::init([](std::optional<std::string> path, std::string text, std::string name) {
                 return Source{std::move(path), std::move(text), std::move(name)};
             }),
             py::arg("path") = py::none(), py::arg("text") = "", py::arg("name") = "program")
        .def_readonly("path", &Source::path)
        .def_readonly("text", &Source::text)
        .def_readonly("name", &Source::name)
        .def("check", &check, py::arg("options"))
        .def(
            "compile",
            [](const Source& source, const py::dict& given) {
                const ModelOptions options = model_options(given);
                return interruptible([&] { return source.compile(options); });
            },
            py::arg("options"));
    add_models(module);
    module.def("semantics", &semantics);
    module.attr("version") = NEUMANN_VERSION;
}

}  // namespace neumann::python

PYBIND11_MODULE(_core, module) {
    module.doc() = "The C++ core of neumann: use the package, not this.";
    neumann::python::add_programs(module);
    neumann::python::add_arrays(module);
    neumann::python::add_sessions(module);
    neumann::python::add_languages(module);
}
