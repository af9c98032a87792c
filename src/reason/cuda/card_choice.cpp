#include "reason/cuda/card_choice.h"

#include <mutex>

#include "reason/cuda/component.h"

namespace neumann {
namespace {

// Seconds that a card would have saved those who did without.
bool repays_start(double saved) {
    static std::mutex mutex;
    static double so_far = 0;
    ReasoningWork nothing;
    const double cold = card_seconds(nothing);
    nothing.card_started = true;
    const std::scoped_lock lock(mutex);
    so_far += saved;
    return so_far >= cold - card_seconds(nothing);
}

}  // namespace

bool CardChoice::takes(const ReasoningWork& batch) {
    if (given_up_ || taken_) return taken_;
    ReasoningWork warm = batch;
    warm.card_started = true;
    const double saved = processor_seconds(warm) - card_seconds(warm);
    if (saved <= 0 || (!card_started() && !repays_start(saved))) return false;
    taken_ = find_card_device() != nullptr;
    given_up_ = !taken_;
    return taken_;
}

}  // namespace neumann
