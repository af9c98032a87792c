#include "worlds/world_sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/require_not_stopped.h"

namespace neumann {
namespace {

constexpr std::uint64_t everywhere = ~std::uint64_t{0};
constexpr std::uint64_t block_worlds = 64;

// A stream of its own for every block: the same on any thread.
Rng stream_of(std::uint64_t seed, std::uint64_t block) { return Rng(Rng(Rng(seed).next() + block).next()); }

// Each bit is 1 with this probability: the binary digits of 64 random numbers are compared with those of the
// probability, until all differ.
std::uint64_t random_bits(double probability, Rng& rng) {
    if (probability >= 1) return everywhere;
    std::uint64_t below = 0;
    std::uint64_t equal = everywhere;
    while (probability > 0 && equal != 0) {
        probability *= 2;
        const std::uint64_t digits = rng.next();
        if (probability >= 1) {
            probability -= 1;
            below |= equal & ~digits;
            equal &= digits;
        } else {
            equal &= ~digits;
        }
    }
    return below;
}

}  // namespace

struct WorldSampler::Worlds {
    std::vector<std::uint64_t> holds;   // per atom
    std::vector<std::uint64_t> chosen;  // per member of all choices
};

WorldSampler::WorldSampler(const ReasoningGraph& graph, const GraphLevels& levels, WorldsTask task)
    : graph_(graph), levels_(levels), task_(std::move(task)), choices_(graph_, task_),
      order_(choices_.atoms().begin(), choices_.atoms().end()) {
    std::ranges::sort(order_, {}, [&](std::uint32_t atom) { return std::pair(levels_.component[atom], atom); });
    first_member_.push_back(0);
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice)
        first_member_.push_back(first_member_.back() + static_cast<std::uint32_t>(choices_.members(choice).size()));
}

// Of each member, if none before it was chosen.
std::vector<std::vector<double>> WorldSampler::conditional_ways(const Chances& chances) const {
    std::vector<std::vector<double>> all(choices_.count());
    std::vector<double> ways;
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice) {
        choices_.probabilities(choice, chances, ways);
        double left = 1;
        for (std::size_t way = 1; way < ways.size(); ++way) {
            all[choice].push_back(ways[way] < left ? ways[way] / left : (ways[way] > 0 ? 1.0 : 0.0));
            left = std::max(left - ways[way], 0.0);
        }
    }
    return all;
}

void WorldSampler::draw(const std::vector<std::vector<double>>& ways, Rng& rng, Worlds& worlds) const {
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice) {
        std::uint64_t none = everywhere;
        std::uint32_t member = first_member_[choice];
        for (const double probability : ways[choice]) {
            worlds.chosen[member] = none & random_bits(probability, rng);
            none &= ~worlds.chosen[member++];
        }
    }
}

std::uint64_t WorldSampler::fact_of(std::uint32_t atom, const Chances& chances, const Worlds& worlds) const {
    if (const RandomChoices::Outcome outcome = choices_.of_atom(atom); outcome.random())
        return worlds.chosen[first_member_[*outcome.choice] + outcome.way - 1];
    return chances.initial[atom] >= 1 ? everywhere : 0;
}

std::uint64_t WorldSampler::derived(std::uint32_t atom, const Worlds& worlds) const {
    std::uint64_t result = 0;
    for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
        const RandomChoices::Outcome outcome = choices_.of_conjunction(c);
        std::uint64_t all =
            outcome.random() ? worlds.chosen[first_member_[*outcome.choice] + outcome.way - 1] : everywhere;
        for (const GraphLiteral literal : graph_.literals(c)) {
            if (all == 0) break;
            const std::uint64_t holds = worlds.holds[literal.atom()];
            all &= literal.negated() ? ~holds : holds;
        }
        result |= all;
    }
    return result;
}

void WorldSampler::derive(const Chances& chances, Worlds& worlds) const {
    for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
        const std::uint32_t component = levels_.component[order_[begin]];
        while (end < order_.size() && levels_.component[order_[end]] == component) ++end;
        const std::span<const std::uint32_t> members = std::span(order_).subspan(begin, end - begin);
        for (const std::uint32_t atom : members) worlds.holds[atom] = fact_of(atom, chances, worlds);
        for (bool any = true; any;) {
            any = false;
            for (const std::uint32_t atom : members) {
                const std::uint64_t grown = worlds.holds[atom] | derived(atom, worlds);
                any = any || grown != worlds.holds[atom];
                worlds.holds[atom] = grown;
            }
            if (levels_.cyclic[component] == 0) break;
        }
    }
}

SampledWorlds WorldSampler::sample(const Chances& chances, const SampleOptions& options) const {
    const std::vector<std::vector<double>> ways = conditional_ways(chances);
    const std::uint64_t blocks = (options.samples + block_worlds - 1) / block_worlds;
    const bool is_large = blocks * graph_.body.size() >= worth_a_thread;
    const std::uint64_t chunks = is_large ? std::min<std::uint64_t>(std::max(options.threads, 1U), blocks) : 1;
    std::vector<SampledWorlds> found(chunks);
    parallel_chunks(options.threads, chunks, [&](std::size_t chunk) {
        SampledWorlds& sums = found[chunk];
        sums.asked.assign(task_.asked.size(), 0);
        Worlds worlds{std::vector<std::uint64_t>(graph_.atom_count()),
                      std::vector<std::uint64_t>(first_member_.back())};
        for (std::uint64_t block = chunk; block < blocks; block += chunks) {
            require_not_stopped("drawing worlds");
            Rng rng = stream_of(options.seed, block);
            draw(ways, rng, worlds);
            derive(chances, worlds);
            const std::uint64_t left = options.samples - block * block_worlds;
            std::uint64_t agree = left < block_worlds ? (std::uint64_t{1} << left) - 1 : everywhere;
            for (const GraphLiteral literal : task_.observed)
                agree &= literal.negated() ? ~worlds.holds[literal.atom()] : worlds.holds[literal.atom()];
            sums.agreed += static_cast<std::uint64_t>(std::popcount(agree));
            for (std::size_t i = 0; i < task_.asked.size(); ++i)
                sums.asked[i] += static_cast<std::uint64_t>(std::popcount(agree & worlds.holds[task_.asked[i]]));
        }
    });
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
        found[0].agreed += found[chunk].agreed;
        for (std::size_t i = 0; i < task_.asked.size(); ++i) found[0].asked[i] += found[chunk].asked[i];
    }
    return std::move(found[0]);
}

ValueBounds wilson_interval(double part, std::uint64_t trials) {
    constexpr double z = 1.959963984540054;  // of a normal distribution 95 % lie within so many standard deviations
    if (trials == 0) return {};
    const auto n = static_cast<double>(trials);
    const double middle = part + z * z / (2 * n);
    const double half = z * std::sqrt(part * (1 - part) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    // An event with no samples, or with all, has a bound that is known without rounding.
    return {part <= 0 ? 0.0 : std::max((middle - half) / scale, 0.0),
            part >= 1 ? 1.0 : std::min((middle + half) / scale, 1.0)};
}

}  // namespace neumann
