#include "learn/gradient/learner.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ground/limit.h"
#include "learn/clauses/edit_clause.h"
#include "learn/clauses/reduce.h"
#include "learn/gradient/calibrate.h"
#include "learn/gradient/clause_levels.h"
#include "learn/task/learn_error.h"

namespace neumann {
namespace {

constexpr std::size_t soft_weights_kept = 10;

// A clause that one more atom would start from: an atom with a new variable that otherwise holds head variables only,
// of a predicate that the clause begins with already, as in(O2,X) is to kp(X) :- in(O1,X).
bool extends_by_generator(const TermTable& terms, const Clause& from, const Clause& to) {
    if (from.body.empty() || to.body.size() != from.body.size() + 1) return false;
    const auto count = [](const Clause& clause, PredicateId predicate) {
        return std::ranges::count(clause.body, predicate, predicate_of);
    };
    const PredicateId predicate = predicate_of(from.body.front());
    const bool all_alike = static_cast<std::size_t>(count(from, predicate)) == from.body.size() &&
                           static_cast<std::size_t>(count(to, predicate)) == to.body.size();
    if (!all_alike || to.variables.size() != from.variables.size() + 1) return false;
    return std::ranges::all_of(to.body, [&](const Literal& literal) {
        return std::ranges::all_of(literal.atom.args, [&](TermId t) { return terms.kind(t) == TermKind::Variable; });
    });
}

}  // namespace

Learner::Learner(LearningProblem& problem, Refiner& refiner, const Dataset& train, const Dataset& validation,
                 const LearnerOptions& options, Journal& journal, std::string name, LearnWatcher* watcher,
                 const std::atomic<bool>* stop)
    : problem_(problem), refiner_(refiner), train_(train), validation_(validation), options_(options),
      journal_(journal), name_(std::move(name)), watcher_(watcher), stop_(stop),
      asked_(labelled_atoms(problem, train, validation)),
      judge_(problem, train, validation, asked_, options.reasoning, options.weights.loss_floor) {}

std::vector<Limitation> Learner::find_limitations(const std::vector<std::uint32_t>& program) {
    const std::size_t labels = train_.target_count() + (&validation_ == &train_ ? 0 : validation_.target_count());
    problem_.interrupt_by(stop_);
    std::vector<Limitation> found = neumann::find_limitations(
        {problem_, refiner_.language(), train_, asked_, options_, judge_, program, all_slots(), labels}, stop_);
    problem_.interrupt_by(nullptr);
    return found;
}

std::uint32_t Learner::slots(std::uint32_t target) const {
    constexpr std::uint32_t undeclared = 2;  // a base and a recursion
    const std::uint32_t declared = problem_.targets()[target].clause_count;
    return options_.program_size.value_or(declared == 0 ? undeclared : declared);
}

LearnOutcome Learner::run() {
    judge_.interrupt_by(stop_);
    problem_.interrupt_by(stop_);
    try {
        const std::vector<std::vector<SearchClause>> starts = plan_starts();
        for (std::size_t s = 0; s < starts.size(); ++s) {
            if (watcher_ != nullptr) watcher_->stage_begins(starts[s]);
            run_stage(starts[s], fmt::format("{}/start {}", name_, s));
            if (is_right()) break;
        }
        if (options_.complete_depth && looks_for_one_clause()) search_depth(starts.front());
        if (options_.simplify && !outcome_.program.empty() && !outcome_.complete_depth) {
            offer(judge_.improve(outcome_.program, pool_, all_slots(), true));
            simplify();
        }
    } catch (const LearningInterrupted&) {
        outcome_.interrupted = true;
    } catch (const GroundingLimit& limit) {
        if (outcome_.program.empty()) throw;
        outcome_.interrupted = true;
        outcome_.limit = fmt::format("{}: {}", limit.what(), limit.advice());
    } catch (const std::bad_alloc&) {
        if (outcome_.program.empty()) throw;
        outcome_.interrupted = true;
        outcome_.limit = "there is no memory left";
    }
    judge_.interrupt_by(nullptr);
    problem_.interrupt_by(nullptr);
    if (outcome_.program.empty()) outcome_.verdict = judge_({});
    std::ranges::stable_sort(outcome_.program, {}, [&](std::uint32_t k) {
        return std::pair(problem_.candidate(k).target, problem_.candidate(k).clause.clause.body.size());
    });
    outcome_.weights = calibrate_weights(problem_, outcome_.program, train_, asked_,
                                         {options_.reasoning, std::nullopt, nullptr}, options_.weights.loss_floor);
    return outcome_;
}

// Where the search begins: the declared clauses, or the most general one. If that begins with generators, such as
// in(O1,X), it is tried again with one more of them for as long as the modes allow and the data are not explained.
std::vector<std::vector<SearchClause>> Learner::plan_starts() {
    std::vector<std::vector<SearchClause>> starts = {first_clauses(problem_.program(), refiner_)};
    while (true) {
        std::vector<SearchClause> next;
        for (const SearchClause& clause : starts.back()) {
            std::optional<SearchClause> extended;
            for (const SearchClause& refined : refiner_.refine(clause)) {
                if (extends_by_generator(problem_.program().terms, clause.clause, refined.clause)) extended = refined;
            }
            if (extended) next.push_back(*extended);
        }
        if (next.empty()) return starts;
        starts.push_back(std::move(next));
    }
}

// Single clauses, all that could be better than the one that the rounds have found. If they are too many, it stays.
void Learner::search_depth(const std::vector<SearchClause>& start) {
    constexpr std::size_t most_alternatives = 200;
    const double allowed = (1 - options_.enough.value_or(1.0)) * static_cast<double>(train_.target_count());
    const LevelResult found = search_levels(problem_, refiner_, judge_, start, outcome_.program,
                                            {static_cast<std::uint64_t>(allowed), options_.most_judged});
    outcome_.clauses_scored += found.judged;
    outcome_.complete_depth = found.complete && !found.best.empty();
    if (!outcome_.complete_depth) return;
    outcome_.program = found.best;
    outcome_.verdict = judge_(found.best);
    outcome_.alternatives = found.allowed;
    if (outcome_.alternatives.size() > most_alternatives) outcome_.alternatives.resize(most_alternatives);
}

void Learner::run_stage(const std::vector<SearchClause>& start, const std::string& name) {
    ClauseSearch clause_search(problem_, refiner_, train_, asked_, options_, journal_, name, watcher_, stop_);
    clause_search.start(start);
    const auto search_and_weigh = [&](std::uint32_t rounds, const std::string& step) {
        search(clause_search, rounds);
        if (clause_search.sampled().empty()) return;
        if (options_.complete_depth && looks_for_one_clause()) return;
        if (watcher_ != nullptr) watcher_->search_done(clause_search.sampled().size());
        weigh(clause_search.sampled(), step, 0, looks_for_one_clause() ? options_.weights.restarts : 0);
        if (!is_right()) offer(judge_.improve(outcome_.program, clause_search.sampled(), all_slots()));
    };
    // One round more than refinements: the last generation is scored too.
    search_and_weigh(options_.search.trials + 1, name);
    if (!is_right() && looks_for_one_clause() && options_.search.more_trials > 0) {
        clause_search.allow_more(options_.search.more_trials);
        search_and_weigh(options_.search.more_trials, name + "/more");
    }
    pool_.insert(pool_.end(), clause_search.sampled().begin(), clause_search.sampled().end());
    if (looks_for_one_clause()) return;
    if (!is_right()) search_around(start, name);
    if (!is_right() && !clause_search.sampled().empty())  // only now, as weights take longer than searching
        weigh(clause_search.sampled(), name, 1, options_.weights.restarts);
    if (!is_right()) try_pairs();
}

// A recursive clause and its base may both be worth nothing alone, and then no step from one program to the next finds
// them: every recursive clause found is tried with every other one.
void Learner::try_pairs() {
    for (std::uint32_t t = 0; t < problem_.targets().size(); ++t) {
        if (slots(t) < 2) continue;
        const PredicateId predicate = problem_.targets()[t].predicate;
        std::vector<std::uint32_t> recursive;
        std::vector<std::uint32_t> others;
        for (const std::uint32_t k : std::set<std::uint32_t>(pool_.begin(), pool_.end())) {
            if (problem_.candidate(k).target != t) continue;
            const std::vector<Literal>& body = problem_.candidate(k).clause.clause.body;
            const bool recurses = std::ranges::find(body, predicate, predicate_of) != body.end();
            (recurses ? recursive : others).push_back(k);
        }
        // The result for other learned predicates stays as it is, or becomes a clause that uses this one.
        std::vector<std::uint32_t> rest = outcome_.program;
        std::erase_if(rest, [&](std::uint32_t k) { return problem_.candidate(k).target == t; });
        std::vector<std::vector<std::uint32_t>> surroundings = {rest};
        for (const std::uint32_t k : std::set<std::uint32_t>(pool_.begin(), pool_.end())) {
            const std::vector<Literal>& body = problem_.candidate(k).clause.clause.body;
            if (problem_.candidate(k).target == t || std::ranges::find(body, predicate, predicate_of) == body.end())
                continue;
            std::vector<std::uint32_t> other = rest;
            std::erase_if(
                other, [&](std::uint32_t o) { return problem_.candidate(o).target == problem_.candidate(k).target; });
            other.push_back(k);
            surroundings.push_back(std::move(other));
        }
        auto left = static_cast<std::size_t>(
            options_.search.most_pairs *
            std::min(1.0, options_.search.small_program / static_cast<double>(problem_.grounder().atoms().size())));
        for (const std::vector<std::uint32_t>& around : surroundings) {
            for (const std::uint32_t r : recursive) {
                for (const std::uint32_t o : others) {
                    if (left-- == 0 || is_right()) return;
                    std::vector<std::uint32_t> program = around;
                    program.insert(program.end(), {o, r});
                    offer(std::move(program));
                }
            }
        }
    }
}

// Clauses that alone explain something and imply little that is wrong (labels may be wrong, too): the best first.
std::vector<std::uint32_t> Learner::pick_contexts() {
    const std::uint64_t unexplained = judge_({}).errors;  // by no clause at all
    std::vector<std::uint32_t> contexts;
    for (const std::uint32_t k : std::set<std::uint32_t>(pool_.begin(), pool_.end())) {
        const Verdict& verdict = judge_({k});
        if (verdict.errors < unexplained &&
            verdict.false_alarms * options_.search.context_precision <= unexplained - verdict.errors)
            contexts.push_back(k);
    }
    std::ranges::stable_sort(contexts, {}, [&](std::uint32_t k) { return judge_({k}).cost; });
    // Of those that explain equally much the shortest: they probably explain the same labels.
    const auto explains_as_much = [&](std::uint32_t a, std::uint32_t b) {
        const Verdict& first = judge_({a});
        const std::pair explained(first.errors, first.false_alarms);  // a copy: `first` may move
        const Verdict& second = judge_({b});
        return explained == std::pair(second.errors, second.false_alarms);
    };
    contexts.erase(std::unique(contexts.begin(), contexts.end(), explains_as_much), contexts.end());
    contexts.resize(std::min<std::size_t>(contexts.size(), options_.search.contexts_to_try));
    return contexts;
}

// Programs of several clauses: with one that is right as far as it goes taken for granted, the search begins anew for
// the rest. A recursive clause, which is nothing without its base, is then visible at once. If that leads nowhere, more
// clauses are tried, and those found with them are taken for granted in turn.
void Learner::search_around(const std::vector<SearchClause>& start, const std::string& name) {
    std::set<std::uint32_t> tried;
    const bool is_small = static_cast<double>(problem_.grounder().atoms().size()) <= options_.search.small_program;
    for (const bool wide : {false, true}) {
        if (wide && !is_small) return;
        if (wide) search_wider(start, {}, name + "/wide");
        for (const std::uint32_t context : pick_contexts()) {
            if (is_right() || !tried.insert(context).second) continue;
            search_wider(start, {context}, fmt::format("{}/around {}", name, tried.size()));
        }
        if (is_right()) return;
    }
}

void Learner::search_wider(const std::vector<SearchClause>& start, const std::vector<std::uint32_t>& context,
                           const std::string& name) {
    LearnerOptions wider = options_;
    wider.search.samples *= options_.search.times_wider;
    ClauseSearch search(problem_, refiner_, train_, asked_, wider, journal_, name, watcher_, stop_);
    search.start(start, context);
    for (std::uint32_t round = 0; round <= options_.search.trials && run_round(search); ++round) {
        for (const std::uint32_t k : search.best_of_last_round(options_.search.singles_to_check)) {
            std::vector<std::uint32_t> program = context;
            program.push_back(k);
            offer(std::move(program));
        }
        if (is_right()) break;
    }
    pool_.insert(pool_.end(), search.sampled().begin(), search.sampled().end());
    if (!is_right()) offer(judge_.improve(context.empty() ? outcome_.program : context, search.sampled(), all_slots()));
    if (!is_right()) generalise();
}

std::vector<std::uint32_t> Learner::all_slots() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t t = 0; t < problem_.targets().size(); ++t) all.push_back(slots(t));
    return all;
}

bool Learner::run_round(ClauseSearch& search) {
    const std::uint64_t before = search.clauses_scored();
    if (!search.next_round()) return false;
    ++outcome_.rounds;
    outcome_.clauses_scored += search.clauses_scored() - before;
    return true;
}

void Learner::search(ClauseSearch& search, std::uint32_t rounds) {
    const bool single = looks_for_one_clause();
    for (std::uint32_t round = 0; round < rounds && run_round(search); ++round) {
        for (const std::uint32_t k : search.best_of_last_round(single ? options_.search.singles_to_check : 1))
            offer({k});
        if (single && is_right()) return;
    }
}

void Learner::weigh(std::span<const std::uint32_t> clauses, const std::string& name, std::uint32_t first_start,
                    std::uint32_t last_start) {
    CandidateGraph graph(problem_, {clauses.begin(), clauses.end()}, asked_, run_options());
    std::vector<SlotGroup> groups(problem_.targets().size());
    for (std::uint32_t t = 0; t < groups.size(); ++t) groups[t].slots = slots(t);
    for (std::uint32_t i = 0; i < clauses.size(); ++i)
        groups[problem_.candidate(clauses[i]).target].candidates.push_back(i);
    std::erase_if(groups, [](const SlotGroup& group) { return group.candidates.empty(); });
    for (std::uint32_t start = first_start; start <= last_start; ++start) {
        WeightLearner learner(graph, groups, train_, validation_, options_, journal_, name, start, watcher_);
        learner.run();
        std::vector<std::uint32_t> program;
        for (const std::uint32_t i : learner.discretised()) program.push_back(clauses[i]);
        if (options_.simplify) program = judge_.without_idle_clauses(std::move(program));
        if (start == 0 || judge_(program).better_than(outcome_.verdict)) {
            outcome_.soft_accuracy = learner.validation_accuracy();
            outcome_.soft_weights.clear();
            const std::vector<double> weights = learner.weights();
            for (const std::uint32_t i : best_first(weights, soft_weights_kept))
                outcome_.soft_weights.emplace_back(clauses[i], weights[i]);
        }
        offer(std::move(program));
        if (is_right()) return;
    }
}

// Whether no learned predicate has more clauses than it may.
bool Learner::fits_slots(const std::vector<std::uint32_t>& program) const {
    std::vector<std::uint32_t> left = all_slots();
    return std::ranges::all_of(program, [&](std::uint32_t k) { return left[problem_.candidate(k).target]-- > 0; });
}

bool Learner::offer(std::vector<std::uint32_t> program) {
    if (!fits_slots(program)) return false;
    const Verdict& verdict = judge_(program);
    if (!outcome_.program.empty() && !verdict.better_than(outcome_.verdict)) return false;
    outcome_.program = std::move(program);
    outcome_.verdict = verdict;
    if (watcher_ != nullptr) watcher_->program_found(outcome_.program, outcome_.verdict);
    return true;
}

// A clause that was right so far may imply too much, now that others have joined it: as
// delete(X,[X,Y|Z],[Y|Z]) does, whose last element cannot be deleted.
void Learner::generalise() {
    std::size_t i = 0;
    while (i < outcome_.program.size()) {
        const std::vector<SearchClause> general = refiner_.generalise(problem_.candidate(outcome_.program[i]).clause);
        i = std::ranges::any_of(general, [&](const SearchClause& one) { return exchange(i, one); }) ? 0 : i + 1;
    }
}

// Takes the clause in the place of one of the program's, if it is shorter and the program gets better.
bool Learner::exchange(std::size_t place, const SearchClause& shorter) {
    const std::uint32_t k = problem_.add(shorter);
    if (k == LearningProblem::no_candidate) return false;
    if (problem_.candidate(k).size >= problem_.candidate(outcome_.program[place]).size) return false;
    std::vector<std::uint32_t> program = outcome_.program;
    program[place] = k;
    return offer(std::move(program));
}

// Leaves out redundant goals and terms, and those that cost more than they gain on the data. Goals are also exchanged
// for others, if that makes the clause easier to write: the same properties of the same
// objects.
void Learner::simplify() {
    for (std::size_t place = 0; place < outcome_.program.size(); ++place) {
        std::uint32_t& k = outcome_.program[place];
        const SearchClause reduct =
            refiner_.canonical(reduce(problem_.program().terms, problem_.candidate(k).clause.clause));
        if (!refiner_.admits(reduct)) continue;
        if (problem_.reducts_are_equal()) {
            k = problem_.add(reduct);
        } else {
            exchange(place, reduct);
        }
    }
    std::size_t i = 0;
    while (i < outcome_.program.size()) i = simplify_clause(i) ? 0 : i + 1;
}

bool Learner::simplify_clause(std::size_t place) {
    const SearchClause clause = problem_.candidate(outcome_.program[place]).clause;
    const auto takes = [&](const SearchClause& other) { return exchange(place, other); };
    const std::vector<SearchClause> shorter = refiner_.generalise(clause);
    if (std::ranges::any_of(shorter, takes)) return true;
    return std::ranges::any_of(
        shorter, [&](const SearchClause& general) { return std::ranges::any_of(refiner_.refine(general), takes); });
}

}  // namespace neumann
