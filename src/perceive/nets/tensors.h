// Conversion between torch modules and safetensors files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "base/tensor_file.h"
#include "perceive/nets/networks.h"

namespace neumann {

// All weights of a network, batch normalisation folded into the convolutions before it.
std::vector<StoredTensor> folded_weights(const torch::nn::Module& network);

// Fills a network of Form::Folded. Throws PerceptionError if a tensor is missing, of another shape, or not of this
// network; names the file and the tensor.
void load_weights(torch::nn::Module& network, const TensorFile& file);

// A folded network from a file; it gets the heads for which the file has weights.
ObjectNetwork load_object_network(const TensorFile& file);

torch::Tensor tensor_of(const StoredTensor& stored);
StoredTensor stored(const std::string& name, const torch::Tensor& tensor);

}  // namespace neumann
