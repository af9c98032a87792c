#include <algorithm>
#include <limits>
#include <optional>

#include "learn/search/pool.h"

namespace neumann::search {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t words_of_unit = 4;  // of sets of atoms

std::uint64_t words_of(std::size_t atoms) { return atoms / 64 + 2; }  // with the cost of starting

Selection selection_of(const std::vector<Candidate>& candidates, std::vector<std::size_t> chosen, std::size_t positives,
                       std::size_t negatives) {
    Bits covered(positives);
    Bits wrong(negatives);
    Selection selection;
    for (const std::size_t c : chosen) {
        covered |= candidates[c].positives;
        wrong |= candidates[c].negatives;
        selection.size += candidates[c].size();
    }
    selection.chosen = std::move(chosen);
    selection.false_positives = wrong.count();
    selection.false_negatives = positives - covered.count();
    return selection;
}

// A depth-first search for the least sum of sizes: the positive with the fewest clauses first.
class CrispCover {
public:
    CrispCover(const std::vector<Candidate>& candidates, std::size_t positives, const CoverLimits& limits, Work& work)
        : candidates_(candidates), positives_(positives), limits_(limits), work_(work), by_positive_(positives) {
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            if (candidates[c].false_positives == 0) crisp_.push_back(c);
        }
        std::ranges::sort(crisp_, [&](std::size_t a, std::size_t b) {
            const std::size_t many = candidates_[a].positives.count() * candidates_[b].size();
            const std::size_t few = candidates_[b].positives.count() * candidates_[a].size();
            return many != few ? many > few : a < b;
        });
        for (const std::size_t c : crisp_)
            candidates[c].positives.each([&](std::size_t p) { by_positive_[p].push_back(c); });
        count_pass();
    }

    std::vector<std::size_t> greedy() {
        std::vector<std::size_t> chosen;
        Bits covered(positives_);
        while (covered.count() < positives_) {
            std::size_t best = none;
            double best_rate = 0;
            count_pass();
            for (const std::size_t c : crisp_) {
                const double rate = static_cast<double>(candidates_[c].positives.beyond(covered)) /
                                    static_cast<double>(candidates_[c].size());
                if (rate > best_rate) {
                    best_rate = rate;
                    best = c;
                }
            }
            if (best == none) break;
            chosen.push_back(best);
            covered |= candidates_[best].positives;
        }
        return chosen;
    }

    std::vector<std::size_t> search(std::vector<std::size_t> first, bool complete) {
        best_ = std::move(first);
        best_size_ = none;
        if (complete && (limits_.most_clauses == 0 || best_.size() <= limits_.most_clauses)) {
            best_size_ = 0;
            for (const std::size_t c : best_) best_size_ += candidates_[c].size();
        }
        std::vector<std::size_t> chosen;
        descend(chosen, 0, Bits(positives_));
        return best_;
    }
    bool proven() const { return nodes_ <= limits_.most_nodes; }

private:
    // One over all clauses.
    void count_pass() { work_.add(1 + crisp_.size() * words_of(positives_) / words_of_unit); }

    // A lower bound of the cost of the rest: each clause covers as much as the best one.
    std::size_t least_rest(const Bits& covered) const {
        const std::size_t left = positives_ - covered.count();
        double best_rate = 0;
        for (const std::size_t c : crisp_)
            best_rate = std::max(best_rate, static_cast<double>(candidates_[c].positives.beyond(covered)) /
                                                static_cast<double>(candidates_[c].size()));
        return best_rate == 0 ? none : static_cast<std::size_t>(static_cast<double>(left) / best_rate * 0.999999);
    }

    void descend(std::vector<std::size_t>& chosen, std::size_t size, const Bits& covered) {
        if (covered.count() == positives_) {
            if (size < best_size_) {
                best_size_ = size;
                best_ = chosen;
            }
            return;
        }
        count_pass();
        if (++nodes_ > limits_.most_nodes || work_.is_over()) {
            nodes_ = std::max(nodes_, limits_.most_nodes + 1);
            return;
        }
        if (limits_.most_clauses > 0 && chosen.size() >= limits_.most_clauses) return;
        const std::size_t rest = least_rest(covered);
        if (rest == none || size + std::max<std::size_t>(rest, 1) >= best_size_) return;
        std::size_t rarest = none;
        for (std::size_t p = 0; p < positives_; ++p) {
            if (!covered.has(p) && (rarest == none || by_positive_[p].size() < by_positive_[rarest].size())) rarest = p;
        }
        for (const std::size_t c : by_positive_[rarest]) {
            if (size + candidates_[c].size() >= best_size_) continue;
            Bits next = covered;
            next |= candidates_[c].positives;
            chosen.push_back(c);
            descend(chosen, size + candidates_[c].size(), next);
            chosen.pop_back();
        }
    }

    const std::vector<Candidate>& candidates_;
    std::size_t positives_;
    const CoverLimits& limits_;
    Work& work_;
    std::vector<std::size_t> crisp_;
    std::vector<std::vector<std::size_t>> by_positive_;
    std::vector<std::size_t> best_;
    std::size_t best_size_ = none;
    std::size_t nodes_ = 0;
};

// One clause more, fewer or another, by the greatest improvement, until there is none.
Selection improved(Selection best, const std::vector<Candidate>& candidates, const std::vector<std::size_t>& allowed,
                   std::size_t positives, std::size_t negatives, const Score& score, const CoverLimits& limits,
                   Work& work) {
    for (bool better = true; better && !work.is_over();) {
        better = false;
        std::optional<Selection> next;
        const auto consider = [&](std::vector<std::size_t> chosen) {
            if (limits.most_clauses > 0 && chosen.size() > limits.most_clauses) return;
            work.add(1 + (chosen.size() + 2) * (words_of(positives) + words_of(negatives)) / words_of_unit);
            Selection one = selection_of(candidates, std::move(chosen), positives, negatives);
            const double cost = one.cost(score);
            if (cost < best.cost(score) && (!next || cost < next->cost(score))) next = std::move(one);
        };
        for (const std::size_t c : allowed) {
            if (work.is_over()) break;
            if (std::ranges::find(best.chosen, c) != best.chosen.end()) continue;
            std::vector<std::size_t> with = best.chosen;
            with.push_back(c);
            consider(with);
            for (std::size_t k = 0; k + 1 < with.size() && best.chosen.size() <= 12; ++k) {  // in exchange for another
                std::vector<std::size_t> exchanged = with;
                exchanged.erase(exchanged.begin() + static_cast<std::ptrdiff_t>(k));
                consider(std::move(exchanged));
            }
        }
        for (std::size_t k = 0; k < best.chosen.size(); ++k) {
            std::vector<std::size_t> without = best.chosen;
            without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
            consider(std::move(without));
        }
        if (next) {
            best = std::move(*next);
            better = true;
        }
    }
    return best;
}

}  // namespace

Selection crisp_cover(const std::vector<Candidate>& candidates, std::size_t positives, const CoverLimits& limits,
                      Work& work, bool& proven) {
    CrispCover cover(candidates, positives, limits, work);
    std::vector<std::size_t> chosen = cover.greedy();
    Selection first = selection_of(candidates, chosen, positives, 0);
    chosen = cover.search(std::move(chosen), first.is_right());
    proven = cover.proven();
    if (limits.most_clauses > 0 && chosen.size() > limits.most_clauses) chosen.resize(limits.most_clauses);
    return selection_of(candidates, std::move(chosen), positives, 0);
}

namespace {

// Clauses with few negatives first, in several meanings of few: a general one taken first would keep the others out.
std::vector<Selection> several_covers(const std::vector<Candidate>& candidates, std::size_t positives,
                                      std::size_t negatives, const Score& score, const CoverLimits& limits,
                                      Work& work) {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < candidates.size(); ++c) all.push_back(c);
    std::vector<Selection> covers;
    for (const double share : {1.0, 0.3, 0.2, 0.1, 0.05, 0.0}) {
        std::vector<std::size_t> precise;
        for (const std::size_t c : all) {
            const auto wrong = static_cast<double>(candidates[c].false_positives);
            if (wrong <= share * (wrong + static_cast<double>(candidates[c].positives.count()))) precise.push_back(c);
        }
        const Selection none = selection_of(candidates, {}, positives, negatives);
        Selection one = improved(none, candidates, precise, positives, negatives, score, limits, work);
        if (share < 1) one = improved(std::move(one), candidates, all, positives, negatives, score, limits, work);
        covers.push_back(std::move(one));
    }
    return covers;
}

}  // namespace

Selection short_cover(const std::vector<Candidate>& candidates, std::size_t positives, std::size_t negatives,
                      const Score& score, const CoverLimits& limits, Work& work) {
    std::vector<Selection> covers = several_covers(candidates, positives, negatives, score, limits, work);
    if (score.alone()) {  // the last wrong labels cost most bits: a longer program may be better where each step is not
        std::vector<std::size_t> all;
        for (std::size_t c = 0; c < candidates.size(); ++c) all.push_back(c);
        for (Selection& longer : several_covers(candidates, positives, negatives, {}, limits, work))
            covers.push_back(improved(std::move(longer), candidates, all, positives, negatives, score, limits, work));
    }
    covers.insert(covers.begin(), selection_of(candidates, {}, positives, negatives));
    return *std::ranges::min_element(covers, {}, [&](const Selection& one) { return one.cost(score); });
}

}  // namespace neumann::search
