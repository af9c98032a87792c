// Any bytes as a saved graph: loaded or refused, never a crash. The checksum would stop every mutation at the door, so
// it is made right first; what is tested is everything behind it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "graph/export.h"
#include "graph/section_file.h"
#include "ground/saved.h"
#include "worlds/circuit_file.h"

namespace {

// Offsets in the header, see section_file.cpp.
constexpr std::size_t header_size = 64;
constexpr std::size_t size_offset = 16;
constexpr std::size_t checksum_offset = 24;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    // Aligned as a mapping would be.
    const std::shared_ptr<std::byte> copy(static_cast<std::byte*>(std::aligned_alloc(64, (size / 64 + 1) * 64)),
                                          std::free);
    if (size > 0) std::memcpy(copy.get(), data, size);
    if (size >= header_size) {
        const std::uint64_t length = size;
        const std::uint64_t checksum = XXH3_64bits(copy.get() + header_size, size - header_size);
        std::memcpy(copy.get() + size_offset, &length, sizeof length);
        std::memcpy(copy.get() + checksum_offset, &checksum, sizeof checksum);
    }
    try {
        const auto read_circuit = [](const SectionReader& reader, const CompiledProgram& compiled) {
            const ReasoningGraph& graph = compiled.ground.graph;
            if (const auto found = read_circuit_sections(reader, graph.atom_count(), graph.clause_count()))
                depth(found->circuit);
        };
        const LoadedProgram loaded = load_compiled(std::span<const std::byte>(copy.get(), size), copy, read_circuit);
        const GraphLabels labels{[&](std::uint32_t atom) { return loaded.compiled.atom_text(atom); },
                                 [&](std::uint32_t clause) { return loaded.compiled.clauses[clause].text; }};
        std::size_t written = 0;
        export_dot(loaded.compiled.ground.graph, labels, [&](const std::string& text) { written += text.size(); });
    } catch (const DamagedFile&) {
    } catch (const IdOverflow&) {
    }
    return 0;
}
