// Serialisation of a circuit: its arrays as sections of a file, beside those of its graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/section_file.h"
#include "worlds/circuit.h"

namespace neumann {

// A circuit, and the atoms that it was compiled for: Circuit::asked are theirs.
struct AskedCircuit {
    std::vector<std::uint32_t> atoms;
    Circuit circuit;
};

class CircuitSections {
public:
    // Borrows both until the sections are written.
    CircuitSections(const Circuit& circuit, std::span<const std::uint32_t> asked_atoms);
    void add_to(SectionWriter& writer) const;

private:
    const Circuit& circuit_;
    std::span<const std::uint32_t> asked_atoms_;
    std::vector<std::uint32_t> parameter_begin_{0};  // of each distribution, and the end
    std::vector<std::uint32_t> parameters_;
};

// Absent: the file has none. The large arrays stay in the file. Throws DamagedFile if it is not a valid circuit of a
// graph with so many atoms and clauses.
std::optional<AskedCircuit> read_circuit_sections(const SectionReader& reader, std::size_t atoms, std::size_t clauses);

}  // namespace neumann
