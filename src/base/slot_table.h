// Open-addressing hash table from content to a 32-bit number. The content lives elsewhere (a term table, a relation);
// a slot keeps the number and the hash, so that growing and most misses never touch the content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/pod_vector.h"

namespace neumann {

class SlotTable {
public:
    static constexpr std::uint32_t absent = 0xffffffffU;

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.capacity_bytes(); }

    // The number whose content `equals` accepts, or `absent`.
    template <class Equals>
    std::uint32_t find(std::uint32_t hash, Equals&& equals) const {
        if (size_ == 0) return absent;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.number == absent) return absent;
            if (slot.hash == hash && equals(slot.number)) return slot.number;
        }
    }

    // A number with this hash, whose content may differ: the entry to prefetch before find() compares it.
    std::uint32_t candidate(std::uint32_t hash) const {
        return find(hash, [](std::uint32_t) { return true; });
    }

    // Room for this many numbers, so that adding them moves nothing.
    void reserve(std::size_t count) {
        std::size_t slots = 16;
        while (count * 8 > slots * 5) slots *= 2;
        if (slots > slots_.size()) resize(slots);
    }

    // Adds a number whose content is known not to be there yet.
    void insert(std::uint32_t hash, std::uint32_t number) {
        if ((size_ + 1) * 8 > slots_.size() * 5) resize(slots_.empty() ? 16 : slots_.size() * 2);
        place({number, hash});
        ++size_;
    }

    void prefetch(std::uint32_t hash) const {
        if (size_ != 0) __builtin_prefetch(&slots_[hash & mask_]);
    }

private:
    struct Slot {
        std::uint32_t number;
        std::uint32_t hash;
    };

    void place(Slot slot) {
        std::size_t at = slot.hash & mask_;
        while (slots_[at].number != absent) at = (at + 1) & mask_;
        slots_[at] = slot;
    }

    // Old slots are visited in order and land in order in a few places, so growing streams through memory.
    void resize(std::size_t slots) {
        PodVector<Slot> old = std::move(slots_);
        slots_ = PodVector<Slot>(slots, Slot{absent, 0});
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.number != absent) place(slot);
        }
    }

    PodVector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

}  // namespace neumann
