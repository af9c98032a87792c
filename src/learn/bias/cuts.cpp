#include "learn/bias/cuts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace neumann {
namespace {

constexpr std::size_t most_cuts = 16;
constexpr std::size_t fewest_numbers = 3;

struct Counts {
    double positives = 0;
    double negatives = 0;
};

class CutFinder {
public:
    CutFinder(TypeId type, const std::vector<TypeId>& head_types, const Worlds& worlds,
              const std::vector<TargetLabel>& labels)
        : type_(type), head_types_(head_types), worlds_(worlds) {
        for (const TargetLabel& label : labels) {
            for (const TermId arg : label.args) {
                Counts& counts = labelled_[key(label.world, arg)];
                ++(label.positive ? counts.positives : counts.negatives);
            }
        }
    }

    // False: something is no number.
    bool add(PredicateId predicate) {
        const Extension& extension = worlds_.extensions[predicate.index()];
        const std::vector<TypeId>& types = worlds_.signature.predicate(predicate).args;
        for (std::size_t r = 0; r < extension.worlds.size(); ++r) {
            if (!add_row(types, extension.own.data() + r * types.size(), extension.worlds[r])) return false;
        }
        for (std::size_t r = 0; r < extension.shared_count; ++r) {
            if (!add_row(types, extension.shared.data() + r * types.size(), 0)) return false;
        }
        return true;
    }

    std::vector<TermId> find() const {
        if (numbers_.size() < fewest_numbers) return {};
        Counts all;
        for (const auto& [number, one] : numbers_) {
            all.positives += one.second.positives;
            all.negatives += one.second.negatives;
        }
        const bool told = all.positives > 0 && all.negatives > 0;
        std::vector<std::pair<double, TermId>> cuts;  // by information gain
        Counts below;
        for (const auto& [number, one] : numbers_) {
            const auto& [term, counts] = one;
            const double apart = std::abs(below.positives / all.positives - below.negatives / all.negatives);
            if (number != numbers_.begin()->first) cuts.emplace_back(told ? -apart : 0, term);
            below.positives += counts.positives;
            below.negatives += counts.negatives;
        }
        if (told) std::ranges::stable_sort(cuts, {}, &std::pair<double, TermId>::first);
        std::vector<TermId> chosen;
        const std::size_t count = std::min(most_cuts, cuts.size());
        for (std::size_t c = 0; c < count; ++c) chosen.push_back(cuts[told ? c : c * cuts.size() / count].second);
        return chosen;
    }

private:
    static std::uint64_t key(std::uint32_t world, TermId term) { return std::uint64_t{world} << 32 | term.value(); }

    bool add_row(const std::vector<TypeId>& types, const TermId* row, std::uint32_t world) {
        for (std::size_t a = 0; a < types.size(); ++a) {
            if (types[a] != type_) continue;
            const std::optional<double> number = number_of(worlds_.signature, worlds_.terms, row[a]);
            if (!number) return false;
            Counts& counts = numbers_.try_emplace(*number, row[a], Counts{}).first->second.second;
            for (std::size_t b = 0; b < types.size(); ++b) {
                if (b == a || std::ranges::find(head_types_, types[b]) == head_types_.end()) continue;
                const auto found = labelled_.find(key(world, row[b]));
                if (found == labelled_.end()) continue;
                counts.positives += found->second.positives;
                counts.negatives += found->second.negatives;
            }
        }
        return true;
    }

    TypeId type_;
    const std::vector<TypeId>& head_types_;
    const Worlds& worlds_;
    std::unordered_map<std::uint64_t, Counts> labelled_;  // by world and term
    std::map<double, std::pair<TermId, Counts>> numbers_;
};

}  // namespace

std::optional<double> number_of(const Signature& signature, const TermTable& terms, TermId term) {
    if (terms.kind(term) != TermKind::Constant) return std::nullopt;
    const std::string& name = signature.constant(terms.constant_of(term)).name;
    double value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(value) : std::nullopt;
}

std::vector<TermId> find_cuts(TypeId type, const std::vector<PredicateId>& predicates,
                              const std::vector<TypeId>& head_types, const Worlds& worlds,
                              const std::vector<TargetLabel>& labels) {
    CutFinder finder(type, head_types, worlds, labels);
    for (const PredicateId predicate : predicates) {
        if (!finder.add(predicate)) return {};
    }
    return finder.find();
}

}  // namespace neumann
