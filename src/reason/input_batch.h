// Batch of examples as flat arrays: numbers for some atoms of each. They are initial values, which replace those of
// facts, or the gradients at which a backward pass starts.
//
// Rows are either of their own length (CSR: where each example begins, atoms, numbers) or dense: examples × atoms over
// one list of atoms. The reasoner checks the range of the numbers, once.
//
// Numbers are stored in single precision; numbers given in double precision are stored as such, too, for engines that
// compute in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <neumann/types.h>

#include "reason/device_rows.h"

namespace neumann {

class InputBatch {
public:
    explicit InputBatch(std::size_t examples = 0) : examples_(examples), begin_(examples + 1) {}  // without numbers

    // `values` has a row of atoms.size() numbers for each example; else throws ReasonError.
    static InputBatch dense(std::size_t examples, std::span<const std::uint32_t> atoms, std::span<const float> values);
    static InputBatch dense(std::size_t examples, std::span<const std::uint32_t> atoms, std::span<const double> values);

    // For engines that read the memory of a GPU: the numbers are there alone.
    static InputBatch on_device(std::size_t examples, std::span<const std::uint32_t> atoms, DeviceRows rows);
    const DeviceRows* device_rows() const { return rows_.get(); }  // null: the numbers are here
    std::span<const std::uint32_t> device_atoms() const { return atoms_; }

    std::size_t examples() const { return examples_; }
    // Of one example: as many atoms as numbers. An atom may stand there more than once.
    std::span<const std::uint32_t> atoms(std::size_t example) const {
        return is_dense_ ? std::span(atoms_) : row(std::span(atoms_), example);
    }
    std::span<const float> values(std::size_t example) const {
        return is_dense_ ? std::span(values_).subspan(example * atoms_.size(), atoms_.size())
                         : row(std::span(values_), example);
    }
    // One of them, as precise as it was given.
    double value(std::size_t example, std::size_t i) const {
        const std::size_t place = (is_dense_ ? example * atoms_.size() : begin_[example]) + i;
        return doubles_.empty() ? static_cast<double>(values_[place]) : doubles_[place];
    }

    // Makes batches of rows of their own length; the numbers may come in any order.
    class Builder;

private:
    template <class Number>
    std::span<const Number> row(std::span<const Number> all, std::size_t example) const {
        return all.subspan(begin_[example], begin_[example + 1] - begin_[example]);
    }

    std::size_t examples_ = 0;
    bool is_dense_ = false;
    std::vector<std::size_t> begin_;  // of each example, and the end; not if it is dense
    std::vector<std::uint32_t> atoms_;
    std::vector<float> values_;
    std::vector<double> doubles_;  // the same in double precision; empty: equal to the floats
    std::shared_ptr<const DeviceRows> rows_;
};

class InputBatch::Builder {
public:
    explicit Builder(std::size_t examples = 0) { reset(examples); }

    void reset(std::size_t examples);                                   // forgets all numbers and keeps the memory
    void resize(std::size_t examples) { batch_.examples_ = examples; }  // not fewer than before
    std::size_t examples() const { return batch_.examples_; }

    // Numbers of one example stay in the order in which they were added.
    void add(std::size_t example, std::uint32_t atom, float value) {
        in_order_ = in_order_ && (example_.empty() || example_.back() <= example);
        example_.push_back(static_cast<std::uint32_t>(example));
        batch_.atoms_.push_back(atom);
        batch_.values_.push_back(value);
        if (is_precise_) batch_.doubles_.push_back(static_cast<double>(value));
    }
    void add(std::size_t example, std::uint32_t atom, double value) {
        const auto rounded = static_cast<float>(value);
        if (!is_precise_ && static_cast<double>(rounded) != value) {
            batch_.doubles_.assign(batch_.values_.begin(), batch_.values_.end());
            is_precise_ = true;
        }
        add(example, atom, rounded);
        if (is_precise_) batch_.doubles_.back() = value;
    }
    // Holds until the builder changes.
    const InputBatch& build();

private:
    void sort_by_example();

    InputBatch batch_;
    std::vector<std::uint32_t> example_;  // of each number
    bool in_order_ = true;
    bool is_precise_ = false;  // single precision would round some number
};

}  // namespace neumann
