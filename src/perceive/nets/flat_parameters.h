// A network's parameters side by side in one tensor, and their gradients in another: a step of an optimiser is then a
// dozen operations on a long tensor, not a dozen for every layer. On a GPU starting them took longer than doing them.
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

// Makes gradients smaller where they are longer than `most`, all together, without waiting for a GPU to say how long.
void clip_gradients(std::vector<FlatParameters>& parts, double most);

}  // namespace neumann
