// Collection of the gradients of tiles into those of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "reason/reasoner.h"
#include "reason/tile/tile_record.h"

namespace neumann {

// Adds the gradients of tiles to the caller's arrays. Tiles come in any order from several threads; sums are made in
// the order of the examples, as far as all tiles before have come.
class GradientReader {
public:
    // Borrows the request and `spare`, memory that is used again, under no other thread's hands.
    GradientReader(const GradientRequest& wanted, const ReasoningGraph& graph, std::size_t examples,
                   std::vector<std::unique_ptr<TileGradients>>& spare);

    std::unique_ptr<TileGradients> memory();
    void take(std::size_t tile, std::unique_ptr<TileGradients> gradients);

private:
    void write(std::size_t tile, const TileGradients& gradients) const;
    void add_up(std::size_t tile, const TileGradients& gradients) const;

    const GradientRequest& wanted_;
    const ReasoningGraph& graph_;
    std::size_t examples_;
    std::mutex mutex_;  // over the rest
    std::vector<std::unique_ptr<TileGradients>>& spare_;
    std::vector<std::unique_ptr<TileGradients>> come_;  // per tile, until it has been added up
    std::size_t next_ = 0;                              // tile to be added up
};

}  // namespace neumann
