// Forward pass of the tile engine: the records of all tiles of examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/pass.h"
#include "reason/tile/tile_record.h"

namespace neumann {

constexpr std::size_t tiles_of(std::size_t examples) { return (examples + tile_width - 1) / tile_width; }

class TilePass final : public PassState {
public:
    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const override;
    void read_values(std::size_t example, const NumberSpan& to) const override;
    void read_initials(std::size_t example, const NumberSpan& to) const override;
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const override;
    std::uint32_t steps(std::size_t example) const override;
    std::vector<std::uint32_t> rounds(std::size_t example) const override;
    void read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const override;
    std::size_t bytes() const override;

    std::vector<TileRecord> tiles;       // may hold more than are in use
    std::vector<float> rounded_weights;  // as the kernels take them

private:
    const TileRecord& tile_of(std::size_t example) const { return tiles[example / tile_width]; }
};

}  // namespace neumann
