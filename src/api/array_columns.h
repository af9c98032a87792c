// Columns of arrays: atoms of the graph or absent ones, and rows of numbers for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <neumann/array_reasoner.h>

#include "compile/require.h"
#include "reason/input_batch.h"
#include "reason/reason_error.h"
#include "session/model_state.h"

namespace neumann {

// The columns that stand for atoms of the graph, and these atoms.
struct PresentColumns {
    std::vector<std::uint32_t> atoms;
    std::vector<std::size_t> columns;
    std::size_t width = 0;  // of a row, absent atoms included

    bool all() const { return atoms.size() == width; }
};

inline PresentColumns present(const std::vector<std::optional<AtomIndex>>& columns, const Model::State& model) {
    PresentColumns result;
    result.width = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i]) continue;
        result.atoms.push_back(model.checked(*columns[i]));
        result.columns.push_back(i);
    }
    return result;
}

// Rows of the columns that are present alone.
template <class Number>
std::vector<Number> gathered(const PresentColumns& of, std::span<const Number> rows, std::size_t examples) {
    std::vector<Number> result;
    result.reserve(examples * of.atoms.size());
    for (std::size_t e = 0; e < examples; ++e)
        for (const std::size_t column : of.columns) result.push_back(rows[e * of.width + column]);
    return result;
}

template <class Number>
InputBatch present_batch(const PresentColumns& of, std::span<const Number> rows, std::size_t examples) {
    if (of.all()) return InputBatch::dense(examples, of.atoms, rows);
    return InputBatch::dense(examples, of.atoms, std::span<const Number>(gathered(of, rows, examples)));
}

// Calls read(numbers) for the columns that are present; missing columns are 0.
template <class Number, class Read>
void scatter(const PresentColumns& of, std::size_t examples, std::span<Number> rows, Read&& read) {
    if (of.all()) return read(rows);
    std::vector<Number> numbers(examples * of.atoms.size());
    read(std::span(numbers));
    std::ranges::fill(rows, Number{0});
    for (std::size_t i = 0; i < numbers.size(); ++i)
        rows[i / of.atoms.size() * of.width + of.columns[i % of.atoms.size()]] = numbers[i];
}

template <class Number>
void require_sparse(const SparseRows<Number>& rows, std::size_t width) {
    require(!rows.begin.empty() && rows.begin.front() == 0 && rows.begin.back() == rows.column.size() &&
                rows.column.size() == rows.value.size() && std::ranges::is_sorted(rows.begin),
            "the beginnings of {} sparse rows do not fit {} columns and {} values", rows.rows(), rows.column.size(),
            rows.value.size());
    std::vector<std::size_t> last(width, 0);  // per column: the last row that has it, from 1
    for (std::size_t e = 0; e < rows.rows(); ++e) {
        for (std::size_t i = rows.begin[e]; i < rows.begin[e + 1]; ++i) {
            require(rows.column[i] < width, "row {} has a value for column {} where there are {}", e, rows.column[i],
                    width);
            require(last[rows.column[i]] <= e, "row {} has column {} twice", e, rows.column[i]);
            last[rows.column[i]] = e + 1;
        }
    }
}

inline DeviceRows device_rows(const PresentColumns& of, const float* data, GpuStream after) {
    DeviceRows rows{const_cast<float*>(data), static_cast<std::uint32_t>(of.width), {}, after.stream};
    for (const std::size_t column : of.columns) rows.columns.push_back(static_cast<std::uint32_t>(column));
    return rows;
}

template <class Number>
void require_probabilities(std::span<const Number> numbers) {
    for (const Number one : numbers)
        require(is_probability(static_cast<double>(one)), "the value {} of an input is not in [0,1]", one);
}

inline void require_pass(bool own, bool same_precision) {
    require(own, "this pass is another reasoner's");
    require(same_precision, "this pass was computed in another precision than these gradients");
}

template <class Number>
void require_rows(const char* what, std::span<Number> rows, std::size_t examples, std::size_t width) {
    require(rows.size() == examples * width, "{} {} given for {} examples of {}", rows.size(), what, examples, width);
}

}  // namespace neumann
