// Reasoner as a layer of a network: arrays of probabilities in and out, gradients back. Columns stand for atoms.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {

// The atoms of the columns of arrays. An atom that the graph does not have is absent: as an input it makes no
// difference, as an output it is 0.
struct ArrayColumns {
    std::vector<std::optional<AtomIndex>> inputs = {};   // the atom of each column of inputs
    std::vector<std::optional<AtomIndex>> outputs = {};  // the atom of each column of outputs
    // Clauses whose weights will change, by number: under "exact" and "sample" a clause of weight 1 is certain unless
    // it is named here.
    std::vector<std::size_t> varying = {};
};

// Numbers for some columns of each row: those of row e are begin[e] … begin[e + 1] − 1, as in matrices in CSR form.
// A column stands in a row once at most; the others are 0.
template <class Number>
struct SparseRows {
    std::span<const std::size_t> begin = {};   // rows + 1
    std::span<const std::size_t> column = {};  // of each number
    std::span<const Number> value = {};        // each number

    std::size_t rows() const { return begin.empty() ? 0 : begin.size() - 1; }  // how many
};

// Numbers in the memory of a GPU, as CUDA gives it out: of the GPU that the reasoner computes on.
template <class Number>
struct GpuArray {
    Number* data = nullptr;  // its first number
    std::size_t size = 0;    // how many numbers there are
};

// A CUDA stream (cudaStream_t): its earlier work is waited for. Null: the default one.
struct GpuStream {
    void* stream = nullptr;  // a cudaStream_t
};

// The stored values of a forward pass for its backward pass. May be used, and released, by any thread; its memory goes
// back to the reasoner, which it keeps alive.
class ArrayPass {
public:
    ArrayPass();  // of no examples
    ArrayPass(ArrayPass&&) noexcept;
    ArrayPass& operator=(ArrayPass&&) noexcept;
    ~ArrayPass();

    // How many the forward pass had.
    std::size_t examples() const;

    struct State;  // known to the library alone

private:
    friend class ArrayReasoner;
    std::unique_ptr<State> state_;
};

// Single precision is computed by the engine of the options, double precision by the reference engine, which is slower
// and computes in double from the inputs to the gradients. All functions may be called from several threads at once.
class ArrayReasoner {
public:
    // Throws std::invalid_argument for atoms and clauses that do not exist, an input that is there twice, and options
    // that make no sense; Error for programs that the semantics cannot take.
    ArrayReasoner(Model model, ArrayColumns columns, const ReasonerOptions& options = {});

    // The model it was made for.
    const Model& model() const;
    // The columns it was made for.
    const ArrayColumns& columns() const;
    bool takes_gpu_arrays() const;  // as functions of arrays in the memory of a GPU need

    // From a row of inputs for each example to a row of outputs for each. `weights` has one for each clause; empty: the
    // model's. Throws std::invalid_argument for arrays of another size and for numbers that are not in [0,1].
    void forward(std::size_t examples, std::span<const float> inputs, std::span<const double> weights,
                 std::span<float> outputs) const;
    // The same in double precision.
    void forward(std::size_t examples, std::span<const double> inputs, std::span<const double> weights,
                 std::span<double> outputs) const;

    // The same, for those who will go back.
    ArrayPass forward_and_keep(std::size_t examples, std::span<const float> inputs, std::span<const double> weights,
                               std::span<float> outputs) const;
    // The same in double precision.
    ArrayPass forward_and_keep(std::size_t examples, std::span<const double> inputs, std::span<const double> weights,
                               std::span<double> outputs) const;

    // From the gradient of a loss by the outputs to those by the inputs, and by the weights, summed over the examples;
    // empty arrays are not filled. In the precision of the pass. Throws std::invalid_argument for arrays of another
    // size, a pass of another reasoner, or a semantics without gradients.
    void backward(const ArrayPass& pass, std::span<const float> by_output, std::span<float> by_input,
                  std::span<double> by_weight) const;
    // The same in double precision.
    void backward(const ArrayPass& pass, std::span<const double> by_output, std::span<double> by_input,
                  std::span<double> by_weight) const;

    // The same from inputs of which few are not 0: time and memory for inputs and their gradients grow with those
    // given. The gradients by the inputs are those by the given values. Throw std::invalid_argument for rows that make
    // no sense, too. backward() for a pass of sparse rows takes `inputs` as they were in the forward pass.
    ArrayPass forward_and_keep(const SparseRows<float>& inputs, std::span<const double> weights,
                               std::span<float> outputs) const;
    // The same in double precision.
    ArrayPass forward_and_keep(const SparseRows<double>& inputs, std::span<const double> weights,
                               std::span<double> outputs) const;
    // Gradients, in single precision.
    void backward(const ArrayPass& pass, const SparseRows<float>& inputs, std::span<const float> by_output,
                  std::span<float> by_value, std::span<double> by_weight) const;
    // The same in double precision.
    void backward(const ArrayPass& pass, const SparseRows<double>& inputs, std::span<const double> by_output,
                  std::span<double> by_value, std::span<double> by_weight) const;

    // The same from and to arrays in the memory of a GPU: nothing but weights and gradients by them goes
    // through the processor's memory. When the functions return, all is there. Also throw std::invalid_argument unless
    // takes_gpu_arrays(), and where the GPU fails.
    void forward(std::size_t examples, GpuArray<const float> inputs, std::span<const double> weights,
                 GpuArray<float> outputs, GpuStream after) const;
    // The same for arrays of a GPU, for going back.
    ArrayPass forward_and_keep(std::size_t examples, GpuArray<const float> inputs, std::span<const double> weights,
                               GpuArray<float> outputs, GpuStream after) const;
    // The same for arrays of a GPU.
    void backward(const ArrayPass& pass, GpuArray<const float> by_output, GpuArray<float> by_input,
                  std::span<double> by_weight, GpuStream after) const;

private:
    friend class ArrayPass;
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace neumann
