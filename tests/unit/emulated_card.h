// A card that is none: the works of a graphics card, thread by thread on the processor. Threads of a launch run in an
// order of their own, so that a work which depended on it would be found out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reason/cuda/card_device.h"
#include "reason/cuda/card_table.h"
#include "reason/flush_to_zero.h"

namespace neumann {

class EmulatedCard final : public CardDevice {
public:
    std::string name() const override { return "emulated"; }
    std::uint64_t free_bytes() const override { return memory; }
    CardSemanticsFacts facts(std::size_t semantics, bool with_not) const override {
        return works(semantics, with_not).facts;
    }
    void* allocate(std::size_t bytes) override {
        auto* const block = static_cast<unsigned char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
        std::fill_n(block, bytes, static_cast<unsigned char>(0xff));  // no number
        return block;
    }
    void release(void* block) noexcept override { std::free(block); }
    void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
    void release_pinned(void* block) noexcept override { std::free(block); }
    void upload(void* to, const void* from, std::size_t bytes) override {
        do_now([=] { std::memcpy(to, from, bytes); });
    }
    void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        do_now([=] { std::memcpy(to, from, bytes); });
    }
    void clear(void* block, std::size_t bytes) override {
        do_now([=] { std::memset(block, 0, bytes); });
    }
    void launch(std::size_t semantics, bool with_not, CardWork work, const CardStep& step) override {
        const Function function = works(semantics, with_not).function[static_cast<std::size_t>(work)];
        do_now([=, this] { function(*this, step); });
    }
    void move(CardMoving what, const CardMove& move) override {
        do_now([=, this] {
            const auto run = [&](const CardPlace& place) { kernels::CardMover{move, place}.run(what); };
            if (what != CardMoving::Put) {
                each_place(move.count, move.tiles, run);
            } else {
                for (std::uint32_t i = 0; i < move.count; ++i) run({i, 0, 0});
            }
        });
    }
    void wait() override {}
    void begin_recording() override { notes_ = std::make_unique<Notes>(); }
    std::unique_ptr<CardRecording> end_recording() override { return std::move(notes_); }

    std::uint64_t memory = std::uint64_t{1} << 30;
    bool backwards = false;  // the order of threads

private:
    using Function = void (*)(const EmulatedCard&, const CardStep&);
    struct Works {
        std::array<Function, static_cast<std::size_t>(CardWork::Count)> function;
        CardSemanticsFacts facts;
    };
    struct Notes final : CardRecording {
        void run() override {
            for (const auto& one : all) one();
        }
        std::vector<std::function<void()>> all;
    };

    template <class Work>
    void do_now(Work work) {
        if (notes_ != nullptr) {
            notes_->all.push_back(work);
        } else {
            work();
        }
    }
    template <class Run>
    void each_place(std::uint32_t items, std::uint32_t tiles, const Run& run) const {
        const CardGrid grid = card_grid(items, tiles);
        each_number(std::uint64_t{grid.x} * grid.y, [&](std::uint64_t thread) {
            const CardPlace place = card_place(tiles, static_cast<std::uint32_t>(thread % grid.x),
                                               static_cast<std::uint32_t>(thread / grid.x));
            if (place.item < items && place.tile < tiles) run(place);
        });
    }
    template <class Run>
    void each_number(std::uint64_t all, const Run& run) const {
        const FlushToZero flush;
        for (std::uint64_t i = 0; i < all; ++i) run(backwards ? all - 1 - i : i);
    }

    // All threads of a level before those of the next, as a block's wait for each other.
    template <class Work>
    static void run(const EmulatedCard& card, const CardStep& step) {
        if constexpr (kernels::HasTrees<Work>) {
            for (std::uint32_t level = card_group_levels + 1; level < 20; ++level) {
                card.each_number(step.items.count * step.tiles * tile_width, [&](std::uint64_t i) {
                    join_tree<typename Work::Trees>(step, level, static_cast<std::uint32_t>(i));
                });
            }
        } else if constexpr (kernels::HasGroups<Work>) {
            card.each_place(step.items.count, step.tiles,
                            [&](const CardPlace& place) { Work::Items::run(step, place); });
            const CardGrid grid = card_grid(card_group, step.tiles);
            for (std::uint32_t level = 1; level <= card_group_levels; ++level) {
                card.each_number(step.items.count / card_group * grid.x * grid.y, [&](std::uint64_t i) {
                    const auto thread = static_cast<std::uint32_t>(i / grid.y);
                    kernels::join_in_group<typename Work::Join>(step, thread / grid.x, thread % grid.x,
                                                                static_cast<std::uint32_t>(i % grid.y), level);
                });
            }
        } else {
            card.each_place(step.items.count, step.tiles, [&](const CardPlace& place) { Work::run(step, place); });
        }
    }
    template <class Join>
    static void join_tree(const CardStep& step, std::uint32_t level, std::uint32_t number) {
        const auto lane = static_cast<std::uint32_t>(number % tile_width);
        if (lane % Join::lanes != 0) return;
        const std::uint32_t row = number / static_cast<std::uint32_t>(tile_width);
        const CardPlace place{row / step.tiles, row % step.tiles, lane};
        const kernels::CardThread thread(step, place);
        const CardJoin below = card_level(thread.item.first, thread.item.count, level - 1);
        const std::uint32_t results = below.end - below.begin;
        for (std::uint32_t i = 0; results > 1 && i * card_radix < results; ++i)
            Join::join(thread, card_join(thread.item, level, i));
    }

    template <std::size_t number, bool with_not>
    static Works works_of() {
        using Table = kernels::CardSemantics<number, with_not>;
        using Chosen = typename Table::Kernel;
        Works result{{}, {Chosen::by_clause, Chosen::weighs_apart, Chosen::totals_bytes}};
        kernels::for_each_card_work<Table>(
            [&]<class Work>(CardWork work) { result.function[static_cast<std::size_t>(work)] = run<Work>; });
        return result;
    }
    template <bool with_not, std::size_t... number>
    static std::array<Works, semantics_count> collect(std::index_sequence<number...>) {
        return {works_of<number, with_not>()...};
    }
    static const Works& works(std::size_t semantics, bool with_not) {
        static const auto positive = collect<false>(std::make_index_sequence<semantics_count>());
        static const auto any = collect<true>(std::make_index_sequence<semantics_count>());
        return (with_not ? any : positive).at(semantics);
    }

    std::unique_ptr<Notes> notes_;
};

}  // namespace neumann
