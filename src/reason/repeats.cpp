#include "reason/repeats.h"

#include <algorithm>

#include "base/pod_vector.h"
#include "base/require_not_stopped.h"

namespace neumann {
namespace {

// Values under minimum and maximum only rise within a phase, because negated atoms are final. So an atom's next value
// is its present value or that of a conjunction with a literal that has just changed: each round computes these alone.
class RepeatFinder {
public:
    RepeatFinder(const ReasoningGraph& graph, const Schedule& schedule, std::span<const float> initial, unsigned width,
                 unsigned examples)
        : graph_(graph), schedule_(schedule), width_(width), lanes_(examples), conjunction_(examples),
          repeats_(schedule.phases.size() * width, 1) {
        values_.resize_uninitialized(std::size_t{graph.atom_count()} * lanes_);
        for (std::size_t a = 0; a < graph.atom_count(); ++a)
            std::copy_n(initial.data() + a * width, lanes_, values_.data() + a * lanes_);
    }

    std::vector<std::uint32_t> run(const ProgressFunction& progress) {
        for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
            const Phase& phase = schedule_.phases[p];
            if (progress) progress("counting steps", phase.begin, schedule_.atoms.size());
            next_.clear();
            for (const std::uint32_t atom : schedule_.atoms_of(phase)) next_.append({value(atom), lanes_});
            // The first round computes all atoms.
            for (const std::uint32_t atom : schedule_.atoms_of(phase)) {
                for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) raise(phase, atom, c);
            }
            commit(phase, p, 1);
            for (std::uint32_t round = 2; phase.cyclic && !changed_.empty(); ++round) {
                require_not_stopped("counting steps");
                for (const std::uint32_t atom : changed_) {
                    for (const std::uint32_t c : graph_.uses_of(atom)) {
                        const std::uint32_t place = schedule_.place[graph_.head[c]];
                        if (place >= phase.begin && place < phase.end) raise(phase, graph_.head[c], c);
                    }
                }
                commit(phase, p, round);
            }
        }
        return std::move(repeats_);
    }

private:
    float* value(std::uint32_t atom) { return values_.data() + std::size_t{atom} * lanes_; }
    float* next_value(const Phase& phase, std::uint32_t atom) {
        return next_.data() + std::size_t{schedule_.place[atom] - phase.begin} * lanes_;
    }

    // Raises the head's value by conjunction c after this round.
    void raise(const Phase& phase, std::uint32_t head, std::uint32_t c) {
        std::fill(conjunction_.begin(), conjunction_.end(), 1.0F);
        for (const GraphLiteral literal : graph_.literals(c)) {
            const float* x = value(literal.atom());
            for (unsigned lane = 0; lane < lanes_; ++lane)
                conjunction_[lane] = std::min(conjunction_[lane], literal.negated() ? 1 - x[lane] : x[lane]);
        }
        float* next = next_value(phase, head);
        bool risen = false;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            risen = risen || conjunction_[lane] > next[lane];
            next[lane] = std::max(next[lane], conjunction_[lane]);
        }
        if (risen) risen_.push_back(head);
    }

    // An atom that rose twice in the round is found unchanged the second time.
    void commit(const Phase& phase, std::size_t number, std::uint32_t round) {
        changed_.clear();
        for (const std::uint32_t atom : risen_) {
            const float* next = next_value(phase, atom);
            float* now = value(atom);
            bool changed = false;
            for (unsigned lane = 0; lane < lanes_; ++lane) {
                if (now[lane] == next[lane]) continue;
                now[lane] = next[lane];
                changed = true;
                if (phase.cyclic) repeats_[number * width_ + lane] = round;
            }
            if (changed) changed_.push_back(atom);
        }
        risen_.clear();
    }

    const ReasoningGraph& graph_;
    const Schedule& schedule_;
    unsigned width_;
    unsigned lanes_;
    PodVector<float> values_;           // per atom, a row of `lanes_`
    PodVector<float> next_;             // per atom of the phase
    std::vector<float> conjunction_;    // a row
    std::vector<std::uint32_t> risen_;  // heads that this round raises, some of them twice
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint32_t> repeats_;
};

}  // namespace

std::vector<std::uint32_t> find_repeats(const ReasoningGraph& graph, const Schedule& schedule,
                                        std::span<const float> initial, unsigned width, unsigned examples,
                                        const ProgressFunction& progress) {
    if (schedule.cyclic_components == 0) return std::vector<std::uint32_t>(schedule.phases.size() * width, 1);
    return RepeatFinder(graph, schedule, initial, width, examples).run(progress);
}

}  // namespace neumann
