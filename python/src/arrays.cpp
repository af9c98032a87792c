// Reasoning from arrays to arrays, and back.
#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "core.h"
#include "interruptible.h"

namespace neumann::python {
namespace {

template <class Number>
using Array = py::array_t<Number, py::array::c_style>;

using Atoms = std::vector<std::optional<std::uint32_t>>;

ArrayColumns columns_of(const Atoms& inputs, const Atoms& outputs, std::vector<std::size_t> varying) {
    const auto indices = [](const Atoms& atoms) {
        std::vector<std::optional<AtomIndex>> result;
        for (const std::optional<std::uint32_t>& atom : atoms)
            result.push_back(atom ? std::optional(AtomIndex{*atom}) : std::nullopt);
        return result;
    };
    return {.inputs = indices(inputs), .outputs = indices(outputs), .varying = std::move(varying)};
}

template <class Number>
std::span<const Number> numbers(const Array<Number>& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class Number>
std::span<Number> numbers(Array<Number>& array) {
    return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

std::span<const double> weights_of(const std::optional<Array<double>>& weights) {
    return weights ? numbers(*weights) : std::span<const double>();
}

// A pass in the numbers of its inputs, for the way back.
struct Kept {
    std::shared_ptr<const ArrayReasoner> reasoner;
    ArrayPass pass;
    bool is_double = false;
};

template <class Number>
Array<Number> rows(std::size_t examples, std::size_t columns) {
    return Array<Number>({examples, columns}, {columns * sizeof(Number), sizeof(Number)});
}

// With its stride: pybind11 before 2.12 reads the size of a number from a place where NumPy 2 has something else.
template <class Number>
Array<Number> numbers_in_a_row(std::size_t count) {
    return Array<Number>({static_cast<py::ssize_t>(count)}, {static_cast<py::ssize_t>(sizeof(Number))});
}

template <class Number>
std::size_t examples_of(const ArrayReasoner& reasoner, const Array<Number>& inputs) {
    const std::size_t columns = reasoner.columns().inputs.size();
    if (inputs.ndim() != 2 || static_cast<std::size_t>(inputs.shape(1)) != columns)
        throw py::value_error(fmt::format("expected an array [B, {}] of inputs", columns));
    return static_cast<std::size_t>(inputs.shape(0));
}

template <class Number>
Array<Number> forward(const ArrayReasoner& reasoner, const Array<Number>& inputs,
                      const std::optional<Array<double>>& weights) {
    const std::size_t examples = examples_of(reasoner, inputs);
    Array<Number> outputs = rows<Number>(examples, reasoner.columns().outputs.size());
    const std::span<Number> to = numbers(outputs);
    const std::span<const double> with = weights_of(weights);
    interruptible([&] { reasoner.forward(examples, numbers(inputs), with, to); });
    return outputs;
}

// The time of the same work without Python, on the same arrays: seconds of the fastest of so many calls.
double fastest_forward(const ArrayReasoner& reasoner, const Array<float>& inputs, std::size_t repeats) {
    const std::size_t examples = examples_of(reasoner, inputs);
    std::vector<float> outputs(examples * reasoner.columns().outputs.size());
    const py::gil_scoped_release release;
    double fastest = 1e9;
    for (std::size_t i = 0; i < repeats; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        reasoner.forward(examples, numbers(inputs), {}, outputs);
        fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    }
    return fastest;
}

template <class Number>
std::pair<Array<Number>, std::unique_ptr<Kept>> forward_and_keep(const std::shared_ptr<ArrayReasoner>& reasoner,
                                                                 const Array<Number>& inputs,
                                                                 const std::optional<Array<double>>& weights) {
    const std::size_t examples = examples_of(*reasoner, inputs);
    Array<Number> outputs = rows<Number>(examples, reasoner->columns().outputs.size());
    const std::span<Number> to = numbers(outputs);
    const std::span<const double> with = weights_of(weights);
    auto kept = std::make_unique<Kept>(Kept{reasoner, {}, sizeof(Number) == sizeof(double)});
    interruptible([&] { kept->pass = reasoner->forward_and_keep(examples, numbers(inputs), with, to); });
    return {std::move(outputs), std::move(kept)};
}

template <class Number>
py::tuple differentiate(const Kept& kept, const Array<Number>& by_output, bool inputs, bool weights) {
    const ArrayReasoner& reasoner = *kept.reasoner;
    const std::size_t outputs = reasoner.columns().outputs.size();
    if (by_output.ndim() != 2 || static_cast<std::size_t>(by_output.shape(0)) != kept.pass.examples() ||
        static_cast<std::size_t>(by_output.shape(1)) != outputs)
        throw py::value_error(fmt::format("expected an array [{}, {}] of gradients", kept.pass.examples(), outputs));
    Array<Number> by_input = rows<Number>(inputs ? kept.pass.examples() : 0, reasoner.columns().inputs.size());
    Array<double> by_weight = numbers_in_a_row<double>(weights ? reasoner.model().clause_count() : 0);
    const std::span<Number> to_inputs = numbers(by_input);
    const std::span<double> to_weights = numbers(by_weight);
    interruptible([&] { reasoner.backward(kept.pass, numbers(by_output), to_inputs, to_weights); });
    return py::make_tuple(inputs ? py::object(by_input) : py::none(), weights ? py::object(by_weight) : py::none());
}

using Places = Array<std::size_t>;

template <class Number>
SparseRows<Number> sparse_rows(const Places& begin, const Places& column, const Array<Number>& value) {
    return {numbers(begin), numbers(column), numbers(value)};
}

template <class Number>
std::pair<Array<Number>, std::unique_ptr<Kept>>
sparse_forward(const std::shared_ptr<ArrayReasoner>& reasoner, const Places& begin, const Places& column,
               const Array<Number>& value, const std::optional<Array<double>>& weights) {
    const SparseRows<Number> inputs = sparse_rows(begin, column, value);
    Array<Number> outputs = rows<Number>(inputs.rows(), reasoner->columns().outputs.size());
    const std::span<Number> to = numbers(outputs);
    const std::span<const double> with = weights_of(weights);
    auto kept = std::make_unique<Kept>(Kept{reasoner, {}, sizeof(Number) == sizeof(double)});
    interruptible([&] { kept->pass = reasoner->forward_and_keep(inputs, with, to); });
    return {std::move(outputs), std::move(kept)};
}

template <class Number>
py::tuple sparse_differentiate(const Kept& kept, const Places& begin, const Places& column, const Array<Number>& value,
                               const Array<Number>& by_output, bool inputs, bool weights) {
    const ArrayReasoner& reasoner = *kept.reasoner;
    const SparseRows<Number> given = sparse_rows(begin, column, value);
    Array<Number> by_value = numbers_in_a_row<Number>(inputs ? given.value.size() : 0);
    Array<double> by_weight = numbers_in_a_row<double>(weights ? reasoner.model().clause_count() : 0);
    const std::span<Number> to_values = numbers(by_value);
    const std::span<double> to_weights = numbers(by_weight);
    interruptible([&] { reasoner.backward(kept.pass, given, numbers(by_output), to_values, to_weights); });
    return py::make_tuple(inputs ? py::object(by_value) : py::none(), weights ? py::object(by_weight) : py::none());
}

// Tensors of a GPU, by their addresses; `stream` is the one that they are written in.
GpuArray<const float> numbers_at(std::uintptr_t address, std::size_t size) {
    return {reinterpret_cast<const float*>(address), size};
}
GpuArray<float> room_at(std::uintptr_t address, std::size_t size) { return {reinterpret_cast<float*>(address), size}; }
GpuStream stream_at(std::uintptr_t address) { return {reinterpret_cast<void*>(address)}; }

std::unique_ptr<Kept> forward_on_gpu(const std::shared_ptr<ArrayReasoner>& reasoner, std::size_t examples,
                                     std::uintptr_t inputs, std::uintptr_t outputs, std::uintptr_t stream,
                                     const std::optional<Array<double>>& weights, bool keep) {
    const ArrayColumns& columns = reasoner->columns();
    const GpuArray<const float> from = numbers_at(inputs, examples * columns.inputs.size());
    const GpuArray<float> to = room_at(outputs, examples * columns.outputs.size());
    const std::span<const double> with = weights_of(weights);
    auto kept = std::make_unique<Kept>(Kept{reasoner, {}, false});
    const py::gil_scoped_release release;
    if (keep) {
        kept->pass = reasoner->forward_and_keep(examples, from, with, to, stream_at(stream));
    } else {
        reasoner->forward(examples, from, with, to, stream_at(stream));
    }
    return kept;
}

std::optional<Array<double>> differentiate_on_gpu(const Kept& kept, std::uintptr_t by_output, std::uintptr_t by_input,
                                                  std::uintptr_t stream, bool weights) {
    const ArrayReasoner& reasoner = *kept.reasoner;
    const std::size_t examples = kept.pass.examples();
    const GpuArray<const float> seeds = numbers_at(by_output, examples * reasoner.columns().outputs.size());
    const std::size_t wanted = by_input == 0 ? 0 : examples * reasoner.columns().inputs.size();
    Array<double> by_weight = numbers_in_a_row<double>(weights ? reasoner.model().clause_count() : 0);
    const std::span<double> to_weights = numbers(by_weight);
    {
        const py::gil_scoped_release release;
        reasoner.backward(kept.pass, seeds, room_at(by_input, wanted), to_weights, stream_at(stream));
    }
    return weights ? std::optional(by_weight) : std::nullopt;
}

}  // namespace

void add_arrays(py::module_& module) {
    py::class_<Kept>(module, "Pass")
        .def_property_readonly("examples", [](const Kept& kept) { return kept.pass.examples(); })
        .def("backward", &differentiate<float>, py::arg("by_output").noconvert(), py::arg("inputs"), py::arg("weights"))
        .def("backward", &differentiate<double>, py::arg("by_output").noconvert(), py::arg("inputs"),
             py::arg("weights"))
        .def("sparse_backward", &sparse_differentiate<float>, py::arg("begin"), py::arg("column"),
             py::arg("value").noconvert(), py::arg("by_output").noconvert(), py::arg("inputs"), py::arg("weights"))
        .def("sparse_backward", &sparse_differentiate<double>, py::arg("begin"), py::arg("column"),
             py::arg("value").noconvert(), py::arg("by_output").noconvert(), py::arg("inputs"), py::arg("weights"))
        .def("backward_on_gpu", &differentiate_on_gpu, py::arg("by_output"), py::arg("by_input"), py::arg("stream"),
             py::arg("weights"));
    py::class_<ArrayReasoner, std::shared_ptr<ArrayReasoner>>(module, "ArrayReasoner")
        .def(py::init([](const Model& model, const Atoms& inputs, const Atoms& outputs,
                         std::vector<std::size_t> varying, const py::dict& given) {
                 ArrayColumns columns = columns_of(inputs, outputs, std::move(varying));
                 const ReasonerOptions options = reasoner_options(given);
                 return interruptible([&] { return std::make_shared<ArrayReasoner>(model, columns, options); });
             }),
             py::arg("model"), py::arg("inputs"), py::arg("outputs"), py::arg("varying"), py::arg("options"))
        .def("forward", &forward<float>, py::arg("inputs").noconvert(), py::arg("weights"))
        .def("forward", &forward<double>, py::arg("inputs").noconvert(), py::arg("weights"))
        .def("fastest_forward", &fastest_forward, py::arg("inputs").noconvert(), py::arg("repeats"))
        .def("forward_and_keep", &forward_and_keep<float>, py::arg("inputs").noconvert(), py::arg("weights"))
        .def("forward_and_keep", &forward_and_keep<double>, py::arg("inputs").noconvert(), py::arg("weights"))
        .def("sparse_forward", &sparse_forward<float>, py::arg("begin"), py::arg("column"),
             py::arg("value").noconvert(), py::arg("weights"))
        .def("sparse_forward", &sparse_forward<double>, py::arg("begin"), py::arg("column"),
             py::arg("value").noconvert(), py::arg("weights"))
        .def_property_readonly("takes_gpu_arrays", &ArrayReasoner::takes_gpu_arrays)
        .def("forward_on_gpu", &forward_on_gpu, py::arg("examples"), py::arg("inputs"), py::arg("outputs"),
             py::arg("stream"), py::arg("weights"), py::arg("keep"));
}

}  // namespace neumann::python
