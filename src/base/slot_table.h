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

    // Adds a number whose content is known not to be there yet.
    void insert(std::uint32_t hash, std::uint32_t number) {
        if ((size_ + 1) * 8 > slots_.size() * 5) grow();
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

    // Old slots are visited in order and land in order in two places, so growing streams through memory.
    void grow() {
        PodVector<Slot> old = std::move(slots_);
        slots_ = PodVector<Slot>(old.empty() ? 16 : old.size() * 2, Slot{absent, 0});
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
