#include "learn/search/program_search.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <new>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "learn/search/clause_search.h"
#include "learn/search/fold.h"
#include "learn/search/invention_search.h"
#include "learn/search/pool.h"
#include "learn/search/preferences.h"
#include "learn/search/recursion_search.h"
#include "learn/search/special_goals.h"

namespace neumann::search {
namespace {

constexpr std::size_t worth_of_recursion = 4;  // literals that a recursive program with inputs may be longer
constexpr std::size_t worth_of_function = 4;   // and one that gives one output
constexpr unsigned longest_folded = 6;         // goals of a body that is folded afterwards
constexpr unsigned shortest_level = 2;         // goals of clauses without recursion that are tried in any case
constexpr double undeclared_share = 0.25;      // of the work of the declared bias in a turn
constexpr std::size_t longest_by_itself = 8;  // literals of a right program from which on an invented predicate may pay

// Amounts of work.
constexpr std::uint64_t first_slice = work_of_second / 4;
constexpr std::uint64_t slices_so_far = 20;                         // a slice is such a part of all that has been done
constexpr std::uint64_t before_any_recursion = 3 * work_of_second;  // for searching one that gives one output
constexpr std::uint64_t between_looks = work_of_second;
constexpr std::uint64_t to_shorten = 20 * work_of_second;         // at least, a right program
constexpr std::uint64_t to_shorten_defined = 3 * work_of_second;  // … with invented predicates
constexpr std::uint64_t times_a_look = 10;  // as much work as a look took passes before the next one

// Inputs have one output each, as far as the positives show.
bool looks_functional(const Task& task) {
    const Mask inputs = task.bias.head.inputs;
    const Mask all = (Mask{1} << task.bias.arity()) - 1;
    if (inputs == 0 || inputs == all) return false;
    std::map<std::vector<Value>, std::vector<Value>> outputs;
    return std::ranges::all_of(task.positives, [&](const std::vector<Value>& atom) {
        std::vector<Value> key;
        for (std::size_t a = 0; a < atom.size(); ++a) {
            if ((inputs >> a & 1U) != 0) key.push_back(atom[a]);
        }
        return outputs.try_emplace(key, atom).first->second == atom;
    });
}

class ProgramSearch {
public:
    ProgramSearch(Task& task, const Limits& limits, const Improved& improved)
        : task_(prepared(task)), improved_(improved), limits_(limits), work_(*task.work),
          most_body_(task.bias.most_body), declared_(task.bias.body.size()), functional_(looks_functional(task)),
          score_(score_of(task)), dependencies_(task.bias, task.relations),
          clauses_(widened(task.bias), task, dependencies_, limits.bytes) {
        keep(Selection{}, {});
    }

    SearchResult run() {
        bool out_of_memory = false;
        try {
            search();
        } catch (const std::bad_alloc&) {  // the results so far are kept
            out_of_memory = true;
        }
        best_.ended = out_of_memory ? Ended::Memory : why_ended();
        if (task_.prefer && best_.is_right() && is_recursive(best_)) leave_out_idle_parts(best_, task_);
        if (task_.prefer && !is_recursive(best_)) prefer_general(best_, clauses_.pool(), task_);
        best_.candidates = evaluated();
        best_.proof = proof();
        if (best_.program.empty()) best_.hint = hint_of_values();
        best_.finished_body = clauses_.level();
        best_.work = done();
        best_.seconds = seconds();
        return best_;
    }

private:
    // Without negatives, a clause with goals about each argument alone would fit anything.
    static Task& prepared(Task& task) {
        if (task.negatives.empty() && task.bias.head.inputs == 0) task.bias.linked = true;
        return task;
    }

    // A search that takes turns with others.
    struct Turn {
        std::function<bool()> advance;  // false: done
        std::uint64_t begins = 0;       // work, or once those before it are done
        double share = 1;
        std::function<bool()> is_useful;
        bool done = false;
    };

    // Bodies may be longer if they can be folded.
    Bias widened(Bias bias) const {
        if (!bias.invention || bias.most_body >= longest_folded) return bias;
        bias.most_variables = std::min<unsigned>(bias.most_variables + longest_folded - bias.most_body, most_variables);
        bias.most_body = longest_folded;
        return bias;
    }

    // What has been exhausted, and why the rest was left out.
    std::vector<std::string> proof() const {
        std::vector<std::string> lines = {
            fmt::format("clauses of {} without recursion, with at most {} and {}, and all programs of them:",
                        counted(declared_, "declared goal"), counted(task_.bias.most_body, "goal"),
                        counted(task_.bias.most_variables, "variable"))};
        const std::vector<std::uint64_t>& candidates = clauses_.candidates();
        for (std::size_t goals = 0; goals < candidates.size(); ++goals)
            lines.push_back(fmt::format("  with {}: {}{}", counted(goals + 1, "goal"),
                                        counted(candidates[goals], "candidate"),
                                        goals < clauses_.level() || clauses_.is_exhausted() ? "" : ", not all"));
        const ClauseSearch::LeftOut& out = clauses_.left_out();
        const auto line = [&](std::uint64_t count, const char* reason) {
            if (count > 0) lines.push_back(fmt::format("  {} {}", count, reason));
        };
        line(out.known, "left out: the same clause in another order or with other names");
        line(out.superfluous, "left out: a goal follows from the others on all facts");
        line(out.forbidden, "left out with all longer ones: the constraints of the task forbid them");
        line(out.no_positive, "not made longer: they cover no positive, nor does any longer one");
        line(out.no_negative, "not made longer: they cover no negative, and longer ones cover less");
        line(out.covered, "not made longer: a clause that is as short covers their positives, and no negative");
        line(out.too_long, "not made longer: no program shorter than the best one has room for them");
        line(out.too_dear, "not made longer: their positives are not worth the literals, by the score");
        lines.emplace_back(is_cover_proven_
                               ? "  no choice among the clauses seen is a shorter right program: all were bounded"
                               : "  choices among the clauses seen: not all were compared");
        if (best_.ended == Ended::Proven) {
            lines.push_back(
                fmt::format("so no right program of these clauses has fewer than {}", counted(best_.size, "literal")));
            return lines;
        }
        lines.push_back(fmt::format("the search ended otherwise: {}", name_of(best_.ended)));
        const auto reason = [&](bool holds, const char* text) {
            if (holds) lines.push_back(fmt::format("no proof: {}", text));
        };
        reason(!best_.is_right(), "the program is not right on all labels");
        reason(task_.bias.recursion, "there may be shorter programs with recursion");
        reason(task_.bias.invention, "there may be shorter programs with invented predicates");
        reason(!is_as_declared(best_), "the program has goals or predicates that nobody declared");
        reason(!clauses_.is_complete(), "some clauses were left out for want of work or memory");
        return lines;
    }

    // An argument of the head that no goal can use, or give a value to; empty: nothing is known.
    std::string hint_of_values() {
        const Bias& bias = task_.bias;
        for (std::size_t a = 0; a < bias.arity(); ++a) {
            const bool is_output = bias.head.inputs != 0 && (bias.head.inputs >> a & 1U) == 0;
            const auto is_of_use = [&](const std::vector<Value>& label) {
                if (is_output) return may_follow(label, a);
                for (std::size_t p = 0; p < declared_; ++p) {
                    if (may_hold(p, bias.head.types[a], label[a])) return true;
                }
                return false;
            };
            if (std::ranges::any_of(task_.positives, is_of_use)) continue;
            return fmt::format(
                "nothing can be found: no goal of the bias {} argument {} of any positive label; compare "
                "the background with the labels",
                is_output ? "gives the value of" : "holds for", a + 1);
        }
        return {};
    }

    // For the value at some place, whatever the others are.
    bool may_hold(std::size_t predicate, std::uint16_t type, Value value) {
        const Predicate& goal = task_.bias.body[predicate];
        Relation& relation = task_.relations[predicate];
        const std::vector<Value> args(goal.types.size(), value);
        for (std::size_t a = 0; a < args.size(); ++a) {
            if (goal.types[a] != 0 && type != 0 && goal.types[a] != type) continue;
            const Mask known = Mask{1} << a;
            if ((relation.inputs() & ~known) != 0 || relation.moded() || goal.kind != GoalKind::Relation) return true;
            if (!relation.matches(args, known).empty()) return true;
        }
        return args.empty();
    }

    // Whether goals may give the value of an output from those of the inputs. Yes, if there is any doubt.
    bool may_follow(const std::vector<Value>& label, std::size_t output) {
        constexpr std::size_t most_values = 1'000;
        std::vector<Value> values;
        const auto add = [&](Value value) {
            if (std::ranges::find(values, value) == values.end()) values.push_back(value);
        };
        for (std::size_t a = 0; a < label.size(); ++a) {
            if ((task_.bias.head.inputs >> a & 1U) != 0) add(label[a]);
        }
        for (std::size_t v = 0; v < values.size(); ++v) {
            for (std::size_t p = 0; p < declared_; ++p) {
                Relation& relation = task_.relations[p];
                const std::size_t arity = relation.arity();
                if (relation.inputs() == (Mask{1} << arity) - 1) continue;
                if (!relation.on_demand() || std::popcount(relation.inputs()) != 1 || relation.has_open()) return true;
                const std::vector<Value> args(arity, values[v]);
                for (const std::uint32_t row : relation.matches(args, relation.inputs())) {
                    for (std::size_t a = 0; a < arity; ++a) add(relation.row(row)[a]);
                }
            }
            if (values.size() > most_values || work_.is_over()) return true;
        }
        return std::ranges::find(values, label[output]) != values.end();
    }

    void search() {
        if (!hint_of_values().empty()) return;
        std::vector<Turn> turns = turns_to_take();
        for (bool more = true; more && !work_.is_over() && !is_finished();) {
            more = false;
            bool before_done = true;
            for (Turn& turn : turns) {
                const bool begun = before_done || best_.is_right() || done() >= turn.begins;
                before_done = before_done && turn.done;
                if (turn.done || !turn.is_useful()) continue;
                more = true;
                if (!begun) continue;
                const auto whole = static_cast<double>(std::max(first_slice, done() / slices_so_far));
                work_.begin_slice(static_cast<std::uint64_t>(turn.share * whole));
                while (!turn.done && !work_.slice_is_over() && !is_finished()) {
                    turn.done = !turn.advance();
                    watch();
                }
                if (is_finished() || work_.is_over()) return;
            }
        }
    }

    void watch() {
        if (!limits_.watch || done() < next_watch_) return;
        next_watch_ = done() + work_of_second / 20;  // the clock is only asked then
        const auto now = std::chrono::steady_clock::now();
        if (now - watched_ < std::chrono::seconds(1)) return;
        watched_ = now;
        SearchResult so_far = best_;
        so_far.candidates = evaluated();
        so_far.finished_body = clauses_.level();
        so_far.work = done();
        limits_.watch(so_far);
    }

    std::vector<Turn> turns_to_take() {
        const auto found = [this](const Found& one) { keep(one, functional_); };
        const auto found_any = [this](const Found& one) { keep(one, false); };
        const auto any = [this] { return !best_.is_right(); };
        // A right program gets some more time to become shorter.
        const auto long_or_wrong = [this] {
            return !best_.is_right() ||
                   (best_.size > longest_by_itself && done() < 3 * best_.work + to_shorten_defined);
        };
        const auto always = [] { return true; };
        const auto without_recursion = [this] {
            return !best_.is_right() || !is_recursive(best_) || clauses_.level() < shortest_level;
        };
        std::vector<Turn> turns;
        turns.push_back({[this] { return advance(clauses_); }, 0, 1, without_recursion});
        if (task_.bias.recursion) {
            add_equality(task_);
            if (functional_) turns.push_back({recursion_turn(functions_, true, found), 0, 3, always});
            turns.push_back({recursion_turn(recursion_, false, found_any), functional_ ? before_any_recursion : 0,
                             functional_ ? 0.5 : 3.0, always});
        }
        if (task_.bias.recursion && !task_.negatives.empty())
            turns.push_back({[this, found_any] {
                                 if (!tolerant_) tolerant_.emplace(task_.bias, task_, dependencies_, tolerant());
                                 return tolerant_->advance(found_any);
                             },
                             score_.alone() ? first_slice : limits_.patience, score_.alone() ? 2.0 : undeclared_share,
                             any});
        const std::uint64_t later = limits_.patience;
        const std::uint64_t invention = task_.bias.invention ? 0 : later;
        const Turn inventing = {[this, found] {
                                    if (!invention_)
                                        invention_.emplace(task_, dependencies_, functional_, clauses_.pool());
                                    if (best_.is_right()) invention_->set_known_size(best_.size);
                                    return invention_->advance(found);
                                },
                                invention, task_.bias.invention ? 2.0 : undeclared_share,
                                task_.bias.invention ? std::function<bool()>(without_recursion) : long_or_wrong};
        if (task_.bias.invention) turns.push_back(inventing);
        if (task_.bias.as_declared) return turns;
        turns.push_back({[this] {
                             add_specials();
                             if (!special_clauses_)
                                 special_clauses_.emplace(special_bias_, task_, dependencies_, limits_.bytes);
                             return advance(*special_clauses_);
                         },
                         later, undeclared_share, any});
        if (task_.bias.recursion) {
            turns.push_back({[this, found] {
                                 add_specials();
                                 if (!special_recursion_)
                                     special_recursion_.emplace(special_bias_, task_, dependencies_,
                                                                RecursionSearch::Wanted{functional_, {}});
                                 return special_recursion_->advance(found);
                             },
                             later, undeclared_share, any});
        }
        if (!task_.bias.invention) turns.push_back(inventing);
        return turns;
    }

    // Programs may cover some negatives.
    static RecursionSearch::Wanted tolerant() {
        RecursionSearch::Wanted wanted;
        wanted.tolerant = true;
        return wanted;
    }

    std::function<bool()> recursion_turn(std::optional<RecursionSearch>& search, bool functional,
                                         const FoundProgram& found) {
        return [this, &search, functional, found] {
            if (!search)
                search.emplace(widened(task_.bias), task_, dependencies_, RecursionSearch::Wanted{functional, {}});
            const std::size_t least = search->level() + 4 + (functional_ && !functional ? worth_of_function : 0);
            if (best_.is_right() && least >= best_.size + best_handicap_ + worth_beyond(best_)) return false;
            return search->advance(found);
        };
    }

    bool advance(ClauseSearch& search) {
        if (best_.is_right()) search.set_known_size(best_.size);
        const bool more = search.advance([&] {
            look_if_due(search);
            watch();
        });
        look(search);
        return more;
    }

    void add_specials() {
        if (!special_bias_.body.empty()) return;
        add_special_goals(task_);
        special_bias_ = widened(task_.bias);
        for (std::size_t p = special_bias_.body.size(); p-- > 0;) {
            if (special_bias_.body[p].invented) special_bias_.body[p].usable = false;
        }
    }

    static bool is_recursive(const SearchResult& one) {
        return std::ranges::any_of(one.program, [](const Clause& clause) {
            return std::ranges::any_of(clause.body,
                                       [](const Literal& goal) { return goal.predicate == own_predicate; });
        });
    }

    bool is_as_declared(const SearchResult& one) const {
        const auto is_declared = [&](const Literal& goal) {
            return goal.predicate == own_predicate || goal.predicate < declared_;
        };
        return std::ranges::all_of(one.program, [&](const Clause& clause) {
            return clause.head == own_predicate && std::ranges::all_of(clause.body, is_declared);
        });
    }

    // A recursive program that is right is taken, unless a simpler one turns up soon; without recursion, the search
    // goes on until no shorter one can be, or for some time.
    bool is_finished() const {
        if (!best_.is_right()) return false;
        if (clauses_.level() < shortest_level && !clauses_.is_exhausted()) return false;
        if (is_recursive(best_)) return !functional_ || done() > 2 * best_.work + work_of_second;
        if (task_.bias.invention) return done() > 3 * best_.work + to_shorten_defined;
        return (!task_.bias.recursion && is_proven() && has_seen_equals()) || done() > 3 * best_.work + to_shorten;
    }

    // Clauses as long as those of the best program, or as many as some more work gives.
    bool has_seen_equals() const {
        if (!task_.prefer || done() > best_.work + best_.work / 4 + work_of_second / 2) return true;
        return clauses_.is_exhausted() || std::ranges::all_of(best_.program, [this](const Clause& clause) {
                   return clause.body.size() <= clauses_.level();
               });
    }

    // Programs are put together again when clauses have come, but not all the time.
    void look_if_due(const ClauseSearch& search) {
        const bool complete = search.pool().covered().count() == task_.positives.size();
        const bool first = complete && !best_.is_right();
        if (first || done() > next_look_) look(search);
    }

    void look(const ClauseSearch& search) {
        const std::vector<Candidate>& candidates = search.pool().candidates();
        const std::uint64_t before = done();
        CoverLimits limits;
        limits.most_clauses = task_.bias.joins ? 0 : task_.bias.most_clauses;
        bool proven = false;
        const Selection crisp = crisp_cover(candidates, task_.positives.size(), limits, work_, proven);
        if (&search == &clauses_) is_cover_proven_ = proven;
        keep(crisp, candidates);
        if (!best_.is_right() || score_.alone())
            keep(short_cover(candidates, task_.positives.size(), task_.negatives.size(), score_, limits, work_),
                 candidates);
        if (best_.is_right()) clauses_.set_known_size(best_.size);
        next_look_ = done() + std::max(between_looks, times_a_look * (done() - before));
    }

    void keep(const Selection& selection, const std::vector<Candidate>& candidates) {
        SearchResult one;
        for (const std::size_t c : selection.chosen) one.program.push_back(candidates[c].clause);
        one.size = selection.size;
        one.false_positives = selection.false_positives;
        one.false_negatives = selection.chosen.empty() ? task_.positives.size() : selection.false_negatives;
        keep(std::move(one));
    }

    void keep(const Found& found, bool is_function) {
        SearchResult one;
        one.program = found.program;
        one.size = found.size;
        one.false_positives = found.false_positives;
        one.false_negatives = task_.positives.size() - found.positives.count();
        keep(std::move(one), functional_ && !is_function ? worth_of_function : 0);
    }

    void keep(SearchResult one, std::size_t handicap = 0) {
        one.true_positives = task_.positives.size() - one.false_negatives;
        one.true_negatives = task_.negatives.size() - one.false_positives;
        one.seconds = seconds();
        one.work = done();
        if (has_best_ && !is_better(one, handicap)) return;
        if (!settle(one) || !is_allowed(one) || (has_best_ && !is_better(one, handicap))) return;
        has_best_ = true;
        best_ = std::move(one);
        best_handicap_ = handicap;
        name_invented(best_.program, task_);
        if (improved_) improved_(best_);
    }

    // Invented and folded clauses are put together without asking for each.
    bool is_allowed(const SearchResult& one) const {
        const std::shared_ptr<ClauseFilter>& filter = task_.bias.filter;
        return !filter || std::ranges::all_of(one.program, [&](const Clause& clause) {
            return filter->allows_somewhere(clause, task_.bias);
        });
    }

    // Invented predicates get numbers of their own, bodies that are too long are folded. False: that cannot be done.
    bool settle(SearchResult& one) {
        std::map<std::uint16_t, std::uint16_t> numbers;
        const auto settled = [&](std::uint16_t& predicate) {
            if (!invention_ || predicate != invention_->slot()) return;
            const Predicate slot = task_.bias.body[predicate];
            const auto [found, added] = numbers.try_emplace(predicate, 0);
            if (added) found->second = invent(task_, slot.types, slot.inputs);
            predicate = found->second;
        };
        for (Clause& clause : one.program) {
            settled(clause.head);
            for (Literal& goal : clause.body) settled(goal.predicate);
        }
        if (std::ranges::all_of(one.program, [&](const Clause& c) { return c.body.size() <= most_body_; })) return true;
        auto program = folded(one.program, task_, most_body_);
        if (!program) return false;
        one.program = std::move(*program);
        one.size = size_of(one.program);
        return true;
    }

    // Literals that a recursive program in its place may have more.
    std::size_t worth_beyond(const SearchResult& one) const {
        const bool recursion_pays = task_.bias.recursion && task_.bias.head.inputs != 0;
        return recursion_pays && !is_recursive(one) ? worth_of_recursion : 0;
    }
    static std::size_t wrong(const SearchResult& one) { return one.false_positives + one.false_negatives; }
    double cost(const SearchResult& one, std::size_t handicap) const {
        return score_.cost(one.size + handicap + worth_beyond(one), one.false_positives, one.false_negatives);
    }
    bool is_better(const SearchResult& one, std::size_t handicap) const {
        if (!score_.alone() && one.is_right() != best_.is_right())
            return one.is_right() && one.size <= most_right_size();
        const double here = cost(one, handicap);
        const double there = cost(best_, best_handicap_);
        if (here != there) return here < there;
        return wrong(one) != wrong(best_) ? wrong(one) < wrong(best_) : !is_recursive(one) && is_recursive(best_);
    }
    // A right program that is longer than the labels only repeats them.
    std::size_t most_right_size() const { return std::max<std::size_t>(40, 2 * task_.positives.size()); }

    // A shorter program would need a clause that has not been seen, and that is too long.
    bool is_proven() const { return best_.is_right() && clauses_.is_complete() && clauses_.level() + 2 >= best_.size; }

    Ended why_ended() const {
        if (const std::optional<Ended> over = work_.over()) return *over;
        if (best_.is_right() && is_as_declared(best_) && !task_.bias.recursion && !task_.bias.invention &&
            is_cover_proven_ && (is_proven() || clauses_.is_exhausted()))
            return Ended::Proven;
        if (is_finished()) return Ended::Settled;
        return clauses_.is_out_of_memory() ? Ended::Memory : Ended::Exhausted;
    }

    std::uint64_t done() const { return work_.done() - begun_at_; }
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

    std::uint64_t evaluated() const {
        std::uint64_t all = clauses_.evaluated();
        if (special_clauses_) all += special_clauses_->evaluated();
        for (const auto* search : {&functions_, &recursion_, &tolerant_, &special_recursion_}) {
            if (*search) all += (*search)->evaluated();
        }
        return all + (invention_ ? invention_->evaluated() : 0);
    }

    Task& task_;
    const Improved& improved_;
    const Limits& limits_;
    Work& work_;
    std::uint64_t begun_at_ = work_.done();
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    unsigned most_body_;
    std::size_t declared_;  // goals
    bool functional_;
    Score score_;
    Dependencies dependencies_;
    ClauseSearch clauses_;
    SearchResult best_;
    std::size_t best_handicap_ = 0;
    std::optional<RecursionSearch> functions_;  // that give one output
    std::optional<RecursionSearch> recursion_;
    std::optional<RecursionSearch> tolerant_;  // of programs that may cover some negatives
    Bias special_bias_;
    std::optional<ClauseSearch> special_clauses_;
    std::optional<RecursionSearch> special_recursion_;
    std::optional<InventionSearch> invention_;
    bool has_best_ = false;
    bool is_cover_proven_ = false;  // for the clauses that have been seen
    std::uint64_t next_look_ = between_looks;
    std::uint64_t next_watch_ = 0;
    std::chrono::steady_clock::time_point watched_ = begun_;
};

}  // namespace

SearchResult search_programs(Task& task, const Limits& limits, const Improved& improved) {
    const WorkLimits holding(*task.work, limits);
    return ProgramSearch(task, limits, improved).run();
}

}  // namespace neumann::search
