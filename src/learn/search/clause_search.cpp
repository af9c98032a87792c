#include "learn/search/clause_search.h"

#include <algorithm>
#include <utility>

namespace neumann::search {

ClauseSearch::ClauseSearch(const Bias& bias, Task& task, const Dependencies& dependencies, std::size_t most_bytes)
    : bias_(bias), task_(task), work_(*task.work), most_bytes_(most_bytes), join_(bias_, task.relations, work_),
      dependencies_(dependencies), pool_(task.positives.size(), work_), score_(score_of(task)) {
    Node& root = frontier_.emplace_back();
    root.clause.variables = static_cast<std::uint8_t>(bias_.arity());
    root.positives = Bits(task.positives.size(), true);
    root.negatives = Bits(task.negatives.size(), true);
}

bool ClauseSearch::advance(const std::function<void()>& look) {
    if (level_ >= bias_.most_body || frontier_.empty()) {
        frontier_.clear();
        return false;
    }
    for (; position_ < frontier_.size(); ++position_) {
        if (work_.is_over()) {
            complete_ = false;
            return false;
        }
        if (work_.slice_is_over()) return true;
        refine(frontier_[position_], next_);
        frontier_[position_] = {};
        if (look) look();
        if (bytes(next_) > most_bytes_) {  // the best half goes on
            complete_ = false;
            out_of_memory_ = true;
            std::ranges::stable_sort(next_, std::greater<>(), &Node::score);
            next_.resize(next_.size() / 2);
        }
    }
    std::ranges::stable_sort(next_, std::greater<>(), &Node::score);
    frontier_ = std::exchange(next_, {});
    position_ = 0;
    ++level_;
    if (level_ > 1 && pool_.covered().count() < task_.positives.size()) dive(look);
    seen_.clear();  // clauses of another length
    return !frontier_.empty();
}

// Coverage of the positives without a crisp clause, relative to negatives.
double ClauseSearch::promise(const Node& node) const {
    const auto share = [](std::size_t part, std::size_t all) {
        return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
    };
    return share(node.positives.beyond(pool_.covered()), task_.positives.size() - pool_.covered().count()) -
           share(node.negatives.count(), task_.negatives.size());
}

// A few of the most promising clauses ahead of their level, down to the longest: uncovered positives may need a long
// clause whose level would come too late.
void ClauseSearch::dive(const std::function<void()>& look) {
    constexpr std::size_t width = 60;
    std::vector<Node> nodes = frontier_;
    for (unsigned goals = level_; goals < bias_.most_body && !nodes.empty(); ++goals) {
        std::ranges::for_each(nodes, [&](Node& node) { node.score = promise(node); });
        std::ranges::stable_sort(nodes, std::greater<>(), &Node::score);
        nodes.resize(std::min(nodes.size(), width));
        std::vector<Node> next;
        seen_.clear();
        for (const Node& node : nodes) {
            if (work_.is_over()) return;
            refine(node, next);
        }
        if (look) look();
        nodes = std::move(next);
    }
}

std::size_t ClauseSearch::bytes(const std::vector<Node>& next) const {
    constexpr std::size_t per_seen = 64;
    if (next.empty()) return seen_.size() * per_seen;
    const std::size_t one =
        sizeof(Node) + next[0].positives.bytes() + next[0].negatives.bytes() + (level_ + 1) * sizeof(Literal) + 96;
    return next.size() * one + seen_.size() * per_seen;
}

void ClauseSearch::refine(const Node& node, std::vector<Node>& next) {
    if (node.clause.body.size() + 1 >= known_size_) {
        ++left_out_.too_long;
        return;
    }
    // Clauses as long as a right one are seen, too.
    const std::size_t longer = node.clause.body.size() + 2;
    if (pool_.has_better(node.positives, task_.prefer && longer == known_size_ ? longer - 1 : longer)) {
        ++left_out_.covered;
        return;
    }
    if (candidates_.size() <= node.clause.body.size()) candidates_.resize(node.clause.body.size() + 1, 0);
    for (const Literal& goal : refinements(node.clause, bias_, false)) {
        if (dependencies_.is_superfluous(node.clause, goal)) {
            ++left_out_.superfluous;
            continue;
        }
        std::optional<Clause> form = new_form(node.clause, goal, bias_, seen_, work_);
        if (!form) {
            ++left_out_.known;
            continue;
        }
        ++evaluated_;
        ++candidates_[node.clause.body.size()];
        Node refined{std::move(*form), Bits(task_.positives.size()), Bits(task_.negatives.size())};
        cover(refined.clause, task_.positives, node.positives, refined.positives);
        if (refined.positives.none() && !work_.is_over()) {
            ++left_out_.no_positive;
            continue;
        }
        cover(refined.clause, task_.negatives, node.negatives, refined.negatives);
        if (work_.is_over()) {
            complete_ = false;
            return;
        }
        add(std::move(refined), next);
    }
}

void ClauseSearch::cover(const Clause& clause, const std::vector<std::vector<Value>>& labelled, const Bits& within,
                         Bits& covered) {
    within.each([&](std::size_t i) {
        if (join_.holds(clause, labelled[i])) covered.set(i);
    });
}

bool ClauseSearch::is_worth_refining(const Node& node, std::size_t positives, std::size_t negatives, bool whole) {
    const std::size_t longer = node.clause.body.size() + 2;
    const bool alone = positives == task_.positives.size();
    std::uint64_t* reason = nullptr;
    if (whole && negatives == 0)
        reason = &left_out_.no_negative;
    else if (longer + (alone ? 0 : 2) >= known_size_)
        reason = &left_out_.too_long;
    else if (score_.alone() && !score_.pays(longer, positives, 0))
        reason = &left_out_.too_dear;
    else if (pool_.has_better(node.positives, longer))
        reason = &left_out_.covered;
    if (reason == nullptr) return true;
    ++*reason;
    return false;
}

void ClauseSearch::add(Node node, std::vector<Node>& next) {
    const std::size_t positives = node.positives.count();
    const std::size_t negatives = node.negatives.count();
    if (bias_.filter && !bias_.filter->may_grow(node.clause, bias_)) {
        ++left_out_.forbidden;
        return;
    }
    const bool pays =
        score_.pays(node.clause.body.size() + 1, positives, negatives) || (negatives == 0 && !score_.alone());
    bool whole = is_whole(node.clause, bias_);
    if (whole && bias_.filter && (pays || negatives == 0)) whole = bias_.filter->allows(node.clause, bias_);
    node.score = static_cast<double>(positives) / static_cast<double>(task_.positives.size()) -
                 static_cast<double>(negatives) / static_cast<double>(std::max<std::size_t>(task_.negatives.size(), 1));
    if (whole && pays) pool_.add({node.clause, node.positives, node.negatives, negatives});
    if (is_worth_refining(node, positives, negatives, whole)) next.push_back(std::move(node));
}

}  // namespace neumann::search
