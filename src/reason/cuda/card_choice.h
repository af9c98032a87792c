// Whether one that may choose goes to a graphics card. It chooses by what it is given, never by the clock: the same
// calls in the same order come to the same numbers.
#pragma once

#include "reason/cuda/choose_device.h"
#include "reason/cuda/component.h"

namespace neumann {

class CardChoice {
public:
    // For the next batch. A card is started when it would have paid to start it at the beginning; from then on all
    // goes there.
    bool takes(const ReasoningWork& batch) {
        if (given_up_ || taken_) return taken_;
        examples_ += batch.examples;
        ReasoningWork so_far = batch;
        so_far.examples = examples_;
        so_far.card_started = card_started();
        ReasoningWork alone = batch;
        alone.card_started = true;
        if (!card_pays(so_far) || !card_pays(alone)) return false;
        taken_ = find_card_device() != nullptr;
        given_up_ = !taken_;
        return taken_;
    }
    // The card has failed.
    void give_up() {
        given_up_ = true;
        taken_ = false;
    }
    bool taken() const { return taken_; }

private:
    bool taken_ = false;
    bool given_up_ = false;
    std::uint64_t examples_ = 0;
};

}  // namespace neumann
