// Shared state of the copies of a Model.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <neumann/model.h>

#include "compile/atom_names.h"
#include "compile/require.h"
#include "ground/compiled_program.h"
#include "worlds/circuit.h"

namespace neumann {

struct Model::State {
    State(LoadedProgram program, std::string warned)
        : loaded(std::move(program)), names(loaded.compiled), warnings(std::move(warned)) {}

    const CompiledProgram& compiled() const { return loaded.compiled; }
    const ReasoningGraph& graph() const { return loaded.compiled.ground.graph; }

    const GraphLevels& levels() {
        std::call_once(levelled_, [&] {
            if (loaded.levels.level.empty()) loaded.levels = find_levels(graph());
        });
        return loaded.levels;
    }

    std::uint32_t checked(AtomIndex atom) const {
        const auto number = static_cast<std::uint32_t>(atom);
        require(number < graph().atom_count(), "there is no atom {} among {}", number, graph().atom_count());
        return number;
    }

    // With the mutex held. The first throws Error for a text that is no ground atom of the program, the second for one
    // that is no atom at all.
    NamedAtom find(std::string_view text);
    Query read(std::string_view text);

    // How messages about texts that are asked for later are shown.
    void show_as(const ModelOptions& options) {
        shown.max_errors = options.max_errors;
        shown.colours = options.colours;
    }

    // The task compiled once for all reasoners, or loaded with the graph; may be null.
    std::shared_ptr<const CompiledTask> exact() const {
        const std::scoped_lock lock(exact_mutex_);
        return exact_;
    }
    void set_exact(std::shared_ptr<const CompiledTask> compiled) {
        const std::scoped_lock lock(exact_mutex_);
        exact_ = std::move(compiled);
    }

    LoadedProgram loaded;
    AtomNames names;
    std::string warnings;
    ModelOptions shown;  // max_errors and colours alone
    std::string file;    // of a saved graph
    std::mutex mutex;    // over names and over the terms of the program: being asked about new ones changes both

private:
    std::once_flag levelled_;
    mutable std::mutex exact_mutex_;  // its own: sessions are made with the other one held
    std::shared_ptr<const CompiledTask> exact_;
};

}  // namespace neumann
