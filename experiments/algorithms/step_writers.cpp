#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/step_writer.h"

namespace neumann {
namespace {

using Row = Tape::Row;
using Term = Tape::Term;

class NeumannWriter : public StepWriter {
public:
    using StepWriter::StepWriter;

    void write_step() override {
        if (held_.empty()) held_.assign(graph_.conjunction_count(), tape().constant(0));
        std::vector<Row> next = now;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (!needed_[a] || !is_derived(a)) continue;
            std::vector<Term> weighted;
            for (std::uint32_t c = graph_.in_begin[a]; c < graph_.in_begin[a + 1]; ++c) {
                const Term two[] = {{held_[c]}, {product_of(c)}};
                held_[c] = tape().clamped(tape().soft_or(two, task_.gamma));
                weighted.push_back({held_[c], weight_of(graph_.clause[c])});
            }
            const Term two[] = {{now[a]}, {tape().clamped(tape().soft_or(weighted, task_.gamma))}};
            next[a] = tape().clamped(tape().soft_or(two, task_.gamma));
        }
        now = std::move(next);
    }

private:
    std::vector<Row> held_;  // per conjunction
};

class NeumannFromZeroWriter : public StepWriter {
public:
    using StepWriter::StepWriter;

    void write_step() override {
        if (initial_.empty()) initial_ = now;
        std::vector<Row> next = now;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (!needed_[a] || !is_derived(a)) continue;
            std::vector<Term> terms = {{initial_[a]}};
            for (std::uint32_t c = graph_.in_begin[a]; c < graph_.in_begin[a + 1]; ++c)
                terms.push_back({product_of(c), weight_of(graph_.clause[c])});
            next[a] = tape().clamped(tape().soft_or_from_zero(terms, task_.gamma));
        }
        now = std::move(next);
    }

private:
    std::vector<Row> initial_;
};

// A dummy atom ⊤ with a conjunction of its own stands for bodies that are empty, and is derived from itself by a clause
// that has the weight of the first one.
class NeumannCodeWriter : public StepWriter {
public:
    using StepWriter::StepWriter;

    void write_step() override {
        if (held_.empty()) {
            held_.assign(graph_.conjunction_count() + 1, tape().constant(0));
            top_ = truth_;
            no_message_ = tape().soft_or({}, message_gamma, message_floor);
        }
        std::vector<Row> joined;
        for (std::uint32_t c = 0; c <= graph_.conjunction_count(); ++c) {
            const Term two[] = {{held_[c]}, {c < graph_.conjunction_count() ? product(c) : top_}};
            joined.push_back(tape().soft_or(two, task_.gamma));
        }
        set_all(held_, joined);
        std::vector<Row> messages;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (needed_[a]) messages.push_back(message(a));
        }
        const Term of_top[] = {{held_.back(), candidates_ > 0 ? 0 : Tape::no_parameter}};
        messages.push_back(tape().soft_or(of_top, message_gamma, message_floor));
        set_all(messages, std::vector<Row>(messages));
        join_messages(messages);
    }

private:
    static constexpr double message_gamma = 0.015;
    static constexpr double message_floor = 1e-4;

    Row product(std::uint32_t conjunction) {
        const std::vector<Row> rows = body_of(conjunction);
        if (rows.empty()) return top_;
        return rows.size() == 1 ? rows.front() : tape().product_by_quotient(rows);
    }
    Row message(std::uint32_t atom) {
        if (!is_derived(atom)) return no_message_;
        std::vector<Term> terms;
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            terms.push_back({held_[c], weight_of(graph_.clause[c])});
        return tape().soft_or(terms, message_gamma, message_floor);
    }
    void join_messages(const std::vector<Row>& messages) {
        std::vector<Row> joined;
        const auto join = [&](Row row) {
            const Term two[] = {{row}, {messages[joined.size()]}};
            joined.push_back(tape().soft_or(two, task_.gamma));
        };
        for (const Row row : now) {
            if (row != WrittenReasoner::no_row) join(row);
        }
        join(top_);
        Row next = tape().over_largest(joined);
        for (Row& row : now) {
            if (row != WrittenReasoner::no_row) row = next++;
        }
        top_ = next;
    }
    void set_all(std::vector<Row>& rows, const std::vector<Row>& values) {
        const Row first = tape().over_largest(values);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = first + static_cast<Row>(i);
    }

    std::vector<Row> held_;  // per conjunction, ⊤'s last
    Row top_ = 0;
    Row no_message_ = 0;
};

// Clauses first, then the slots that choose among them: the reasoners of αILP and ∂ILP-ST.
class SlotWriter : public StepWriter {
public:
    SlotWriter(const ReasoningGraph& graph, const ReasonerTask& task, const std::vector<bool>& is_input,
               std::vector<bool> needed)
        : StepWriter(graph, task, is_input, std::move(needed)), pads_(task_.reasoner == PublishedReasoner::AlphaIlp),
          gamma_(pads_ ? task_.gamma : 1e-5) {
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); c = end_of_clause(c))
            most_instances_ = std::max(most_instances_, end_of_clause(c) - c);
        zero_ = tape().constant(0);
        // A clause says of an atom that it does not derive what so many falsehoods make together.
        nothing_ = pads_ ? tape().soft_or({}, gamma_, std::max(1U, most_instances_)) : zero_;
    }

    void write_step() override {
        const std::vector<std::vector<Row>> by_clause = clause_values();
        std::vector<Row> chosen;
        std::vector<Row> known;
        // The same for all atoms that no clause derives.
        std::optional<std::pair<Row, Row>> of_idle;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (!is_written(a)) continue;
            std::pair<Row, Row> both;
            if (is_derived(a) || !of_idle) both = {by_slots(by_clause, a), by_background(by_clause, a)};
            if (!is_derived(a)) both = *(of_idle = of_idle.value_or(both));
            chosen.push_back(both.first);
            known.push_back(both.second);
        }
        divide(chosen);
        divide(known);
        std::vector<Row> next;
        std::size_t i = 0;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (!is_written(a)) continue;
            std::vector<Term> terms = {{now[a]}, {chosen[i]}};
            if (task_.background > 0) terms.push_back({known[i]});
            next.push_back(tape().soft_or(terms, gamma_));
            ++i;
        }
        divide(next);
        i = 0;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (is_written(a)) now[a] = next[i++];
        }
    }

    void write_end() override {
        if (pads_) return;
        std::vector<Row> all;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (needed_[a]) all.push_back(now[a]);
        }
        Row next = tape().over_largest(all);
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (needed_[a]) now[a] = next++;
        }
    }

private:
    // Without falsehoods nothing happens to an atom that no clause derives.
    bool is_written(std::uint32_t atom) const { return needed_[atom] && (pads_ || is_derived(atom)); }

    void divide(std::vector<Row>& rows) {
        if (!pads_) return;
        Row next = tape().over_largest(rows);
        for (Row& row : rows) row = next++;
    }

    // Per clause and atom, `nothing` where the clause does not derive it.
    std::vector<std::vector<Row>> clause_values() {
        std::vector<std::vector<Row>> result(graph_.clause_count(), std::vector<Row>(graph_.atom_count(), nothing_));
        for (std::uint32_t begin = 0; begin < graph_.conjunction_count(); begin = end_of_clause(begin)) {
            const std::uint32_t end = end_of_clause(begin);
            if (!needed_[graph_.head[begin]]) continue;
            std::vector<Term> instances;
            for (std::uint32_t c = begin; c < end; ++c) instances.push_back({product_of(c)});
            const double falsehoods = pads_ ? most_instances_ - (end - begin) : 0;
            Row& value = result[graph_.clause[begin]][graph_.head[begin]];
            value = instances.size() == 1 && falsehoods == 0 ? instances[0].row
                                                             : tape().soft_or(instances, gamma_, falsehoods);
        }
        if (pads_) {
            for (std::vector<Row>& values : result) divide_clause(values);
        }
        return result;
    }

    // What the clause derives, and one number for all that it does not.
    void divide_clause(std::vector<Row>& values) {
        std::vector<Row> different = {nothing_};
        for (const Row row : values) {
            if (row != nothing_) different.push_back(row);
        }
        const Row rest = tape().over_largest(different);
        Row next = rest + 1;
        for (Row& row : values) row = row == nothing_ ? rest : next++;
    }

    Row by_slots(const std::vector<std::vector<Row>>& by_clause, std::uint32_t atom) {
        std::vector<Term> slots;
        for (std::uint32_t m = 0; m < task_.slots; ++m) {
            std::vector<Term> sum;
            for (std::uint32_t k = 0; k < candidates_; ++k) {
                const Row value = by_clause[task_.background + k][atom];
                if (value != zero_) sum.push_back({value, static_cast<std::uint32_t>(m * candidates_) + k});
            }
            slots.push_back({sum.empty() ? zero_ : tape().sum(sum)});
        }
        return tape().soft_or(slots, gamma_);
    }

    Row by_background(const std::vector<std::vector<Row>>& by_clause, std::uint32_t atom) {
        std::vector<Term> values;
        for (std::uint32_t k = 0; k < task_.background; ++k) {
            if (by_clause[k][atom] != zero_) values.push_back({by_clause[k][atom], weight_of(k)});
        }
        return values.empty() ? zero_ : tape().soft_or(values, gamma_);
    }

    bool pads_;
    double gamma_;
    std::uint32_t most_instances_ = 0;  // of a clause for one head
    Row zero_ = 0;
    Row nothing_ = 0;
};

class DilpWriter : public StepWriter {
public:
    using StepWriter::StepWriter;

    void write_step() override {
        std::vector<Row> next = now;
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (!needed_[a] || !is_derived(a)) continue;
            std::vector<Term> of_clause(graph_.clause_count(), {WrittenReasoner::no_row});
            for (std::uint32_t c = graph_.in_begin[a]; c < graph_.in_begin[a + 1]; c = end_of_clause(c))
                of_clause[graph_.clause[c]].row = best_instance(c);
            std::vector<Term> sum;
            for (std::uint32_t p = 0; p < task_.pairs.size(); ++p) {
                std::vector<Term> two;
                for (const std::uint32_t k : {task_.pairs[p].first, task_.pairs[p].second}) {
                    const Term& term = of_clause[task_.background + k];
                    if (term.row != WrittenReasoner::no_row) two.push_back(term);
                }
                if (!two.empty()) sum.push_back({two.size() == 1 ? two[0].row : tape().largest(two), p});
            }
            for (std::uint32_t k = 0; k < task_.background; ++k) {
                if (of_clause[k].row != WrittenReasoner::no_row) sum.push_back({of_clause[k].row, weight_of(k)});
            }
            if (!sum.empty()) next[a] = tape().either(now[a], tape().clamped(tape().sum(sum)));
        }
        now = std::move(next);
    }

private:
    Row best_instance(std::uint32_t begin) {
        std::vector<Term> instances;
        for (std::uint32_t c = begin; c < end_of_clause(begin); ++c) instances.push_back({product_of(c)});
        return instances.size() == 1 ? instances[0].row : tape().largest(instances);
    }
};

}  // namespace

std::unique_ptr<StepWriter> make_step_writer(const ReasoningGraph& graph, const ReasonerTask& task,
                                             const std::vector<bool>& is_input, std::vector<bool> needed) {
    switch (task.reasoner) {
    case PublishedReasoner::Neumann:
        return std::make_unique<NeumannWriter>(graph, task, is_input, std::move(needed));
    case PublishedReasoner::NeumannFromZero:
        return std::make_unique<NeumannFromZeroWriter>(graph, task, is_input, std::move(needed));
    case PublishedReasoner::NeumannCode:
        return std::make_unique<NeumannCodeWriter>(graph, task, is_input, std::move(needed));
    case PublishedReasoner::AlphaIlp:
    case PublishedReasoner::DilpSt:
        return std::make_unique<SlotWriter>(graph, task, is_input, std::move(needed));
    case PublishedReasoner::Dilp:
        break;
    }
    return std::make_unique<DilpWriter>(graph, task, is_input, std::move(needed));
}

}  // namespace neumann
