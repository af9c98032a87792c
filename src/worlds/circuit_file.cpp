#include "worlds/circuit_file.h"

#include <algorithm>

namespace neumann {
namespace {

std::vector<std::uint32_t> copied(const SectionReader& reader, std::string_view name) {
    const SharedArray<std::uint32_t> array = reader.array<std::uint32_t>(name);
    return {array.begin(), array.end()};
}

void require_ascending_below(const std::vector<std::uint32_t>& numbers, std::size_t bound) {
    const bool ascending = std::ranges::adjacent_find(numbers, std::ranges::greater_equal{}) == numbers.end();
    require_sound(ascending && (numbers.empty() || numbers.back() < bound), "unknown parameters of a circuit");
}

void read_distributions(const SectionReader& reader, Circuit& circuit) {
    const std::vector<std::uint32_t> begin = copied(reader, "circuit.dist_begin");
    const std::vector<std::uint32_t> parameters = copied(reader, "circuit.dist");
    require_sound(!begin.empty() && begin.front() == 0 && begin.back() == parameters.size() &&
                      std::ranges::is_sorted(begin),
                  "bad ranges of a circuit's distributions");
    for (const std::uint32_t parameter : parameters)
        require_sound(parameter < circuit.parameters(), "unknown parameters of a circuit");
    for (std::size_t d = 0; d + 1 < begin.size(); ++d) {
        const auto first_way = static_cast<std::uint32_t>(circuit.ways());
        circuit.distributions.push_back(
            {first_way, {parameters.begin() + begin[d], parameters.begin() + begin[d + 1]}});
    }
}

// The factors of a sum stand before it.
void require_sound_nodes(const Circuit& circuit) {
    const std::size_t nodes = circuit.nodes();
    const std::size_t first = circuit.first_sum();
    require_sound(nodes >= first && circuit.left.size() == circuit.right.size() &&
                      circuit.term_begin[nodes] == circuit.left.size(),
                  "bad ranges of a circuit's nodes");
    for (std::size_t node = 0; node <= first; ++node)
        require_sound(circuit.term_begin[node] == 0, "bad ranges of a circuit's nodes");
    for (std::size_t node = first; node < nodes; ++node) {
        const std::uint32_t begin = circuit.term_begin[node];
        const std::uint32_t end = circuit.term_begin[node + 1];
        require_sound(begin <= end && end <= circuit.left.size(), "bad ranges of a circuit's nodes");
        for (std::uint32_t t = begin; t < end; ++t)
            require_sound(circuit.left[t] < node && circuit.right[t] < node, "a circuit that goes round");
    }
    for (const Circuit::Node node : circuit.asked) require_sound(node < nodes, "an unknown node of a circuit");
    require_sound(circuit.observed < nodes, "an unknown node of a circuit");
}

}  // namespace

CircuitSections::CircuitSections(const Circuit& circuit, std::span<const std::uint32_t> asked_atoms)
    : circuit_(circuit), asked_atoms_(asked_atoms) {
    for (const Circuit::Distribution& one : circuit.distributions) {
        parameters_.insert(parameters_.end(), one.parameters.begin(), one.parameters.end());
        parameter_begin_.push_back(static_cast<std::uint32_t>(parameters_.size()));
    }
}

void CircuitSections::add_to(SectionWriter& writer) const {
    writer.add("circuit.atoms", asked_atoms_);
    writer.add("circuit.asked", std::span(circuit_.asked));
    writer.add("circuit.observed", std::span(&circuit_.observed, 1));
    writer.add("circuit.facts", std::span(circuit_.facts));
    writer.add("circuit.clauses", std::span(circuit_.clauses));
    writer.add("circuit.dist_begin", std::span(parameter_begin_));
    writer.add("circuit.dist", std::span(parameters_));
    writer.add("circuit.term_begin", circuit_.term_begin.span());
    writer.add("circuit.left", circuit_.left.span());
    writer.add("circuit.right", circuit_.right.span());
}

std::optional<AskedCircuit> read_circuit_sections(const SectionReader& reader, std::size_t atoms, std::size_t clauses) {
    if (!reader.has("circuit.term_begin")) return std::nullopt;  // also circuits of decisions, as once they were
    AskedCircuit result;
    Circuit& circuit = result.circuit;
    result.atoms = copied(reader, "circuit.atoms");
    circuit.asked = copied(reader, "circuit.asked");
    for (const std::uint32_t atom : result.atoms) require_sound(atom < atoms, "a circuit of unknown atoms");
    require_sound(result.atoms.size() == circuit.asked.size(), "arrays of different lengths");
    const std::vector<std::uint32_t> observed = copied(reader, "circuit.observed");
    require_sound(observed.size() == 1, "arrays of different lengths");
    circuit.observed = observed[0];
    circuit.facts = copied(reader, "circuit.facts");
    circuit.clauses = copied(reader, "circuit.clauses");
    require_ascending_below(circuit.facts, atoms);
    require_ascending_below(circuit.clauses, clauses);
    read_distributions(reader, circuit);
    circuit.term_begin = reader.array<std::uint32_t>("circuit.term_begin");
    circuit.left = reader.array<std::uint32_t>("circuit.left");
    circuit.right = reader.array<std::uint32_t>("circuit.right");
    require_sound_nodes(circuit);
    return result;
}

}  // namespace neumann
