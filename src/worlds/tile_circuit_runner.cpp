// Circuits by vector instructions: sixteen examples side by side, tiles spread over threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/require_not_stopped.h"
#include "reason/choose_kernel.h"
#include "reason/flush_to_zero.h"
#include "reason/tile/row_array.h"
#include "worlds/circuit_runner.h"

namespace neumann {
namespace {

class TileCircuitRunner final : public CircuitRunner {
public:
    TileCircuitRunner(const Circuit& circuit, const ReasonOptions& options)
        : circuit_(circuit), kernel_(kernel_called(options.kernel)), threads_(std::max(1U, options.threads)),
          parallel_from_(options.parallel_from) {}

    std::string description() const override { return fmt::format("graph engine, {} kernel", kernel_.name); }
    std::size_t bytes() const override {
        const std::scoped_lock lock(mutex_);
        std::size_t total = 0;
        for (const std::unique_ptr<Work>& work : idle_) total += work->values.bytes() + work->gradients.bytes();
        return total;
    }
    std::uint64_t bytes_needed(std::size_t examples) const override {
        return 2 * circuit_.nodes() * RowArray::row_bytes * workers(tiles(examples));
    }

    void forward(const CircuitBatch& batch, std::span<double> to) const override {
        for_each_tile(batch.examples, [&](Work& work, std::size_t first, std::size_t count) {
            run(batch, first, count, work);
            for (std::size_t lane = 0; lane < count; ++lane) {
                double* row = to.data() + (first + lane) * (circuit_.asked.size() + 1);
                for (const Circuit::Node node : circuit_.asked)
                    *row++ = static_cast<double>(work.values.row(node)[lane]);
                *row = static_cast<double>(work.values.row(circuit_.observed)[lane]);
            }
        });
    }

    void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const override {
        for_each_tile(batch.examples, [&](Work& work, std::size_t first, std::size_t count) {
            run(batch, first, count, work);
            work.gradients.assign_zero(circuit_.nodes());
            for (std::size_t lane = 0; lane < count; ++lane) {
                const double* seed = seeds.data() + (first + lane) * (circuit_.asked.size() + 1);
                for (const Circuit::Node node : circuit_.asked)
                    work.gradients.row(node)[lane] += static_cast<float>(*seed++);
                work.gradients.row(circuit_.observed)[lane] += static_cast<float>(*seed);
            }
            kernel_.circuit.backward({view(), work.values.data(), work.gradients.data()});
            for (std::size_t lane = 0; lane < count; ++lane)
                write_gradients(work, lane, to.subspan((first + lane) * circuit_.parameters(), circuit_.parameters()));
        });
    }

private:
    struct Work {
        RowArray values;
        RowArray gradients;
    };

    static std::size_t tiles(std::size_t examples) { return (examples + tile_width - 1) / tile_width; }
    std::size_t workers(std::size_t tiles) const {
        const bool pays = tiles * circuit_.left.size() >= parallel_from_;
        return pays ? std::min<std::size_t>(threads_, tiles) : 1;
    }
    CircuitView view() const {
        return {circuit_.term_begin.data(), circuit_.left.data(), circuit_.right.data(), circuit_.first_sum(),
                circuit_.nodes()};
    }

    // From the first example of each tile on, so many.
    void for_each_tile(std::size_t examples,
                       const std::function<void(Work&, std::size_t first, std::size_t count)>& work_on) const {
        std::atomic<std::size_t> next{0};
        const std::size_t threads = workers(tiles(examples));
        parallel_chunks(static_cast<unsigned>(threads), threads, [&](std::size_t) {
            const FlushToZero flush;
            std::unique_ptr<Work> work = take_work();
            for (std::size_t tile = next++; tile < tiles(examples); tile = next++) {
                require_not_stopped("evaluating circuits");
                const std::size_t first = tile * tile_width;
                work_on(*work, first, std::min(tile_width, examples - first));
            }
            const std::scoped_lock lock(mutex_);
            idle_.push_back(std::move(work));
        });
    }
    std::unique_ptr<Work> take_work() const {
        const std::scoped_lock lock(mutex_);
        if (idle_.empty()) return std::make_unique<Work>();
        std::unique_ptr<Work> taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
    }

    void run(const CircuitBatch& batch, std::size_t first, std::size_t count, Work& work) const {
        work.values.reserve(circuit_.nodes());
        const std::size_t facts = circuit_.facts.size();
        for (const Circuit::Distribution& one : circuit_.distributions) {
            std::array<double, tile_width> rest;  // a chance near 1 leaves more than a float can tell
            rest.fill(1.0);
            const Circuit::Node first_way = Circuit::node_of_way(one.first_way);
            for (std::size_t i = 0; i < one.parameters.size(); ++i) {
                float* const row = work.values.row(first_way + i + 1);
                const std::uint32_t parameter = one.parameters[i];
                for (std::size_t lane = 0; lane < tile_width; ++lane) {
                    const std::size_t example = first + std::min(lane, count - 1);  // spare lanes repeat the last
                    const double chance =
                        parameter < facts ? batch.facts[example * facts + parameter] : batch.clauses[parameter - facts];
                    row[lane] = static_cast<float>(chance);
                    rest[lane] -= chance;
                }
            }
            float* const none = work.values.row(first_way);
            for (std::size_t lane = 0; lane < tile_width; ++lane)
                none[lane] = static_cast<float>(std::max(rest[lane], 0.0));
        }
        std::fill_n(work.values.row(Circuit::never), tile_width, 0.0F);
        std::fill_n(work.values.row(Circuit::always), tile_width, 1.0F);
        kernel_.circuit.forward({view(), work.values.data()});
    }

    void write_gradients(const Work& work, std::size_t lane, std::span<double> to) const {
        std::ranges::fill(to, 0.0);
        const auto by_way = [&](std::uint32_t way) {
            return static_cast<double>(work.gradients.row(Circuit::node_of_way(way))[lane]);
        };
        for (const Circuit::Distribution& one : circuit_.distributions)
            for (std::size_t i = 0; i < one.parameters.size(); ++i)
                to[one.parameters[i]] +=
                    by_way(one.first_way + static_cast<std::uint32_t>(i) + 1) - by_way(one.first_way);
    }

    const Circuit& circuit_;
    const Kernel& kernel_;
    unsigned threads_;
    std::size_t parallel_from_;
    // Working memory, lent to threads for the time of a batch.
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Work>> idle_;
};

}  // namespace

std::unique_ptr<CircuitRunner> make_tile_circuit_runner(const Circuit& circuit, const ReasonOptions& options) {
    return std::make_unique<TileCircuitRunner>(circuit, options);
}

}  // namespace neumann
