// A network's parameters side by side in one tensor, and their gradients in another: a step of an optimiser is then a
// dozen operations on a long tensor, not a dozen for every layer. On a GPU launching them took longer than running
// them.
#pragma once

#include <vector>

#include <torch/torch.h>

namespace neumann {

class FlatParameters {
public:
    explicit FlatParameters(std::vector<torch::Tensor> parameters);

    // After parameters were given values in other memory, as from a file: takes these values.
    void gather();
    torch::Tensor& all() { return all_; }  // with its gradient
    void forget_gradients() { all_.mutable_grad().zero_(); }

private:
    std::vector<torch::Tensor> parameters_;
    torch::Tensor all_;
};

// Gradient clipping by the norm over all parts (at most `most`), without synchronising with the GPU.
void clip_gradients(std::vector<FlatParameters>& parts, double most);

}  // namespace neumann
