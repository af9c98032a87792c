#include "oracle/rule_language.h"

#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace neumann::oracle {

std::string Language::text() const {
    std::string out;
    for (std::size_t t = 0; t < types.size(); ++t) {
        std::vector<std::string> names;
        for (int c = 0; c < types[t].constants; ++c) names.push_back(fmt::format("c{}", constant(int(t), c)));
        out += fmt::format(":- type(t{}, [{}]).\n", t, fmt::join(names, ","));
    }
    for (std::size_t f = 0; f < functors.size(); ++f) {
        std::vector<std::string> args;
        for (int a : functors[f].args) args.push_back(fmt::format("t{}", a));
        out += fmt::format(":- functor(f{}({}), t{}).\n", f, fmt::join(args, ","), functors[f].result);
        if (functors[f].cell) {
            out += fmt::format(":- list(t{0}, t{1}, f{2}, c{3}).\n", functors[f].result, functors[f].args[0], f,
                               constant(functors[f].result, 0));
        }
    }
    for (std::size_t t = 0; t < types.size(); ++t) {
        if (types[t].max_depth) out += fmt::format(":- max_depth(t{}, {}).\n", t, *types[t].max_depth);
        if (types[t].max_length) out += fmt::format(":- max_length(t{}, {}).\n", t, *types[t].max_length);
        if (types[t].no_repeats) out += fmt::format(":- no_repeats(t{}).\n", t);
    }
    for (std::size_t p = 0; p < predicates.size(); ++p) {
        std::vector<std::string> args;
        for (int a : predicates[p].args) args.push_back(fmt::format("t{}", a));
        out += fmt::format(":- pred(p{}({})).\n", p, fmt::join(args, ","));
        if (predicates[p].distinct) out += fmt::format(":- distinct(p{}/{}).\n", p, args.size());
    }
    for (const Language::Declared& mode : modes) {
        std::vector<std::string> args;
        for (std::size_t i = 0; i < mode.signs.size(); ++i)
            args.push_back(fmt::format("{}t{}", mode.signs[i], predicates[mode.predicate].args[i]));
        out += fmt::format(":- mode{}({}, p{}({})).\n", mode.head ? "h" : "b",
                           mode.recall < 0 ? "*" : std::to_string(mode.recall), mode.predicate, fmt::join(args, ","));
    }
    return out +
           fmt::format("% body {}, variables {}, depth {}\n", bounds.max_body, bounds.max_variables, bounds.max_depth);
}

Language random_language(Rng& rng) {
    Language language;
    language.types.resize(1 + rng.below(2));
    for (Language::Type& type : language.types) type.constants = 1 + static_cast<int>(rng.below(2));
    const int last = static_cast<int>(language.types.size()) - 1;
    Language::Type& type = language.types[last];
    switch (rng.below(6)) {
    case 0:
        break;
    case 1:
    case 2:
        if (last == 0) break;
        type.constants = 1;
        language.functors.push_back({{0, last}, last, true});
        if (rng.chance(0.3)) type.max_length = static_cast<int>(rng.below(3));
        if (rng.chance(0.3)) type.no_repeats = true;
        break;
    case 3:
        language.functors.push_back({{last}, last, false});
        break;
    case 4:
        language.functors.push_back({{last, last}, last, false});
        break;
    default:
        language.functors.push_back({{0, 0}, last, false});
        break;
    }
    if (language.functors.size() == 1) {
        // f(t,t) → t has the shape of a list cell as well; without bounds on lengths that makes no difference.
        const bool closed = std::ranges::find(language.functors[0].args, last) == language.functors[0].args.end();
        if (closed && rng.chance(0.5)) type.constants = 0;
        if (rng.chance(0.3)) type.max_depth = 1 + static_cast<int>(rng.below(2));
    }
    language.predicates.resize(1 + rng.below(3));
    for (Language::Predicate& predicate : language.predicates) {
        const std::uint32_t arity = 1 + rng.below(rng.chance(0.2) ? 3 : 2);
        for (std::uint32_t i = 0; i < arity; ++i)
            predicate.args.push_back(static_cast<int>(rng.below(static_cast<std::uint32_t>(language.types.size()))));
        predicate.distinct = arity > 1 && rng.chance(0.3);
    }
    const auto add_mode = [&](bool head, int predicate) {
        Language::Declared mode{head, rng.chance(0.3) ? -1 : 1 + static_cast<int>(rng.below(2)), predicate, {}};
        for (std::size_t i = 0; i < language.predicates[predicate].args.size(); ++i)
            mode.signs += head ? "++++-#"[rng.below(6)] : "++---#"[rng.below(6)];
        language.modes.push_back(mode);
    };
    for (std::uint32_t i = rng.below(3); i > 0; --i) add_mode(true, 0);
    for (std::size_t p = 0; p < language.predicates.size(); ++p) {
        for (std::uint32_t i = rng.below(3); i > 0; --i) add_mode(false, static_cast<int>(p));
    }
    language.bounds.max_body = rng.below(rng.chance(0.2) ? 4 : 3);
    language.bounds.max_variables = 1 + rng.below(4);
    language.bounds.max_depth = rng.below(3);
    return language;
}

std::vector<int> canonical_code(const Rule& rule) {
    std::vector<int> names(rule.types.size());
    std::iota(names.begin(), names.end(), 0);
    std::optional<std::vector<int>> best;
    do {
        std::map<int, Pattern> renaming;
        for (std::size_t v = 0; v < names.size(); ++v)
            renaming[static_cast<int>(v)] = {Pattern::Variable, names[v], {}};
        std::vector<int> code;
        rule.head.with(renaming).code(code);
        std::set<Pattern> body;
        for (const Goal& goal : rule.body) body.insert(goal.with(renaming));
        for (const Goal& goal : body) {
            code.push_back(-1);
            goal.code(code);
        }
        if (!best || code < *best) best = std::move(code);
    } while (std::ranges::next_permutation(names).found);
    return *best;
}

namespace {

// Every clause of a language, by trying everything.
class Enumeration {
public:
    Enumeration(const Language& language, std::size_t most) : language_(language), most_(most) {}

    // Canonical code → the clause; none if that takes too long.
    std::optional<std::map<std::vector<int>, Rule>> all() {
        try {
            with_atom({}, 0, [&](const Rule& with_head, const Goal& head) {
                Rule start = with_head;
                start.head = head;
                if (is_head(head) && can_exist(head, start.types)) extend(start);
            });
        } catch (const TooMany&) {
            return std::nullopt;
        }
        return std::move(found_);
    }

    bool is_member(const Rule& rule) {
        if (rule.body.size() > language_.bounds.max_body) return false;
        std::set<Pattern> parts;
        rule.head.parts(parts);
        for (const Goal& goal : rule.body) goal.parts(parts);
        const auto variables =
            std::ranges::count_if(parts, [](const Pattern& part) { return part.kind == Pattern::Variable; });
        if (variables > language_.bounds.max_variables) return false;
        for (const Goal& goal : rule.body) {
            if (goal == rule.head || !can_exist(goal, rule.types)) return false;
        }
        if (!can_exist(rule.head, rule.types) || !is_head(rule.head)) return false;
        std::vector<std::size_t> order(rule.body.size());
        std::iota(order.begin(), order.end(), 0);
        do {
            std::vector<int> uses(language_.modes.size(), 0);
            if (assign(rule, order, 0, uses)) return true;
        } while (std::ranges::next_permutation(order).found);
        return false;
    }

private:
    struct TooMany {};
    using WithTerm = std::function<void(const std::vector<int>& types, const Pattern&)>;

    // All terms of a type over the variables so far and new ones, numbered as they come.
    void terms(int type, std::uint32_t depth, const std::vector<int>& types, const WithTerm& then) {
        for (std::size_t v = 0; v < types.size(); ++v) {
            if (types[v] == type) then(types, {Pattern::Variable, static_cast<int>(v), {}});
        }
        if (types.size() < language_.bounds.max_variables) {
            std::vector<int> more = types;
            more.push_back(type);
            then(more, {Pattern::Variable, static_cast<int>(types.size()), {}});
        }
        for (int c = 0; c < language_.types[type].constants; ++c)
            then(types, {Pattern::Constant, Language::constant(type, c), {}});
        for (std::size_t f = 0; depth > 0 && f < language_.functors.size(); ++f) {
            if (language_.functors[f].result != type) continue;
            all_args(language_.functors[f].args, depth - 1, types, {Pattern::Compound, static_cast<int>(f), {}}, then);
        }
    }
    void all_args(const std::vector<int>& wanted, std::uint32_t depth, const std::vector<int>& types, Pattern so_far,
                  const WithTerm& then) {
        if (so_far.args.size() == wanted.size()) return then(types, so_far);
        terms(wanted[so_far.args.size()], depth, types, [&](const std::vector<int>& more, const Pattern& arg) {
            Pattern next = so_far;
            next.args.push_back(arg);
            all_args(wanted, depth, more, next, then);
        });
    }
    void with_atom(const Rule& rule, int predicate, const std::function<void(const Rule&, const Goal&)>& then) {
        all_args(language_.predicates[predicate].args, language_.bounds.max_depth, rule.types,
                 {Pattern::Compound, predicate, {}}, [&](const std::vector<int>& types, const Pattern& goal) {
                     if (++tried_ > most_) throw TooMany();
                     Rule next = rule;
                     next.types = types;
                     then(next, goal);
                 });
    }
    void extend(const Rule& rule) {
        if (is_member(rule)) found_.emplace(canonical_code(rule), rule);
        if (rule.body.size() == language_.bounds.max_body) return;
        for (std::size_t p = 0; p < language_.predicates.size(); ++p) {
            with_atom(rule, static_cast<int>(p), [&](const Rule& more, const Goal& goal) {
                if (std::ranges::find(rule.body, goal) != rule.body.end()) return;
                // What is wrong with a single atom, no further atom mends.
                const auto suits = [&](const Language::Declared& mode) { return !mode.head && matches(mode, goal); };
                if (std::ranges::none_of(language_.modes, suits) || !can_exist(goal, more.types)) return;
                Rule next = more;
                next.body.push_back(goal);
                extend(next);
            });
        }
    }

    bool is_head(const Goal& head) const {
        bool declared = false;
        for (const Language::Declared& mode : language_.modes) {
            if (!mode.head || mode.predicate != head.id) continue;
            if (matches(mode, head)) return true;
            declared = true;
        }
        return !declared && matches({true, -1, head.id, std::string(head.args.size(), '+')}, head);
    }
    bool assign(const Rule& rule, const std::vector<std::size_t>& order, std::size_t at, std::vector<int>& uses) {
        if (at == order.size()) return true;
        const Goal& goal = rule.body[order[at]];
        std::set<Pattern> before;
        for (const Pattern& arg : rule.head.args) arg.parts(before);
        for (std::size_t i = 0; i < at; ++i) {
            for (const Pattern& arg : rule.body[order[i]].args) arg.parts(before);
        }
        for (std::size_t m = 0; m < language_.modes.size(); ++m) {
            const Language::Declared& mode = language_.modes[m];
            if (mode.head || !matches(mode, goal) || uses[m] == mode.recall) continue;
            bool bound = true;
            for (std::size_t i = 0; i < goal.args.size(); ++i)
                bound = bound && (mode.signs[i] != '+' || before.contains(goal.args[i]));
            if (!bound) continue;
            ++uses[m];
            if (assign(rule, order, at + 1, uses)) return true;
            --uses[m];
        }
        return false;
    }
    bool matches(const Language::Declared& mode, const Goal& goal) const {
        if (mode.predicate != goal.id) return false;
        for (std::size_t i = 0; i < goal.args.size(); ++i) {
            if (mode.signs[i] == '#') {
                if (goal.args[i].kind != Pattern::Constant) return false;
                continue;
            }
            std::set<Pattern> parts;
            goal.args[i].parts(parts);
            for (const Pattern& part : parts) {
                if (part.kind == Pattern::Constant && !language_.has_functors(Language::type_of_constant(part.id)))
                    return false;
            }
        }
        return true;
    }

    // Whether some ground instance of each argument is within its bounds.
    bool can_exist(const Goal& goal, const std::vector<int>& types) {
        if (language_.predicates[goal.id].distinct) {
            for (std::size_t i = 0; i < goal.args.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    if (goal.args[i] == goal.args[j]) return false;
                }
            }
        }
        return std::ranges::all_of(goal.args, [&](const Pattern& arg) {
            if (arg.depth() > static_cast<int>(language_.bounds.max_depth)) return false;
            std::vector<int> typed;
            arg.code(typed);
            typed.insert(typed.end(), types.begin(), types.end());
            const auto [known, is_new] = exists_.emplace(std::move(typed), false);
            if (is_new) known->second = has_instance(arg, types);
            return known->second;
        });
    }
    bool has_instance(const Pattern& term, const std::vector<int>& types) {
        std::set<Pattern> parts;
        term.parts(parts);
        std::map<int, Pattern> values;
        for (const Pattern& part : parts) {
            if (part.kind == Pattern::Variable) values[part.id] = {};
        }
        const std::function<bool(std::map<int, Pattern>::iterator)> try_all = [&](auto at) {
            if (at == values.end()) return is_within(term.with(values));
            return std::ranges::any_of(ground_terms(types[at->first]), [&](const Pattern& value) {
                at->second = value;
                return try_all(std::next(at));
            });
        };
        return try_all(values.begin());
    }
    // The shallowest terms are enough: constants, or a functor's terms where there are none.
    std::vector<Pattern> ground_terms(int type) const {
        std::vector<Pattern> all;
        for (int c = 0; c < language_.types[type].constants; ++c)
            all.push_back({Pattern::Constant, Language::constant(type, c), {}});
        if (!all.empty()) return all;
        const Pattern zero{Pattern::Constant, Language::constant(0, 0), {}};
        return {{Pattern::Compound, 0, std::vector<Pattern>(language_.functors[0].args.size(), zero)}};
    }
    bool is_within(const Pattern& term) const {
        if (term.kind != Pattern::Compound) return true;
        const Language::Functor& functor = language_.functors[term.id];
        const Language::Type& type = language_.types[functor.result];
        if (type.max_depth && term.depth() > *type.max_depth) return false;
        if (functor.cell) {
            std::vector<Pattern> elements;
            for (const Pattern* tail = &term; tail->kind == Pattern::Compound; tail = &tail->args[1])
                elements.push_back(tail->args[0]);
            if (type.max_length && static_cast<int>(elements.size()) > *type.max_length) return false;
            const std::set<Pattern> different(elements.begin(), elements.end());
            if (type.no_repeats && different.size() < elements.size()) return false;
        }
        return std::ranges::all_of(term.args, [&](const Pattern& arg) { return is_within(arg); });
    }

    const Language& language_;
    std::size_t most_;
    std::size_t tried_ = 0;
    std::map<std::vector<int>, bool> exists_;
    std::map<std::vector<int>, Rule> found_;
};

}  // namespace

std::optional<std::map<std::vector<int>, Rule>> every_rule(const Language& language, std::size_t most_tries) {
    return Enumeration(language, most_tries).all();
}

bool covers(const Rule& general, const Rule& specific) {
    std::set<Pattern> parts;
    for (const Pattern& arg : specific.head.args) arg.parts(parts);
    for (const Goal& goal : specific.body) {
        for (const Pattern& arg : goal.args) arg.parts(parts);
    }
    std::map<int, Pattern> values;
    const std::function<bool(std::size_t)> try_all = [&](std::size_t v) {
        if (v == general.types.size()) {
            return general.head.with(values) == specific.head && std::ranges::all_of(general.body, [&](const Goal& g) {
                       return std::ranges::find(specific.body, g.with(values)) != specific.body.end();
                   });
        }
        return std::ranges::any_of(parts, [&](const Pattern& part) {
            values[static_cast<int>(v)] = part;
            return try_all(v + 1);
        });
    };
    return try_all(0);
}

}  // namespace neumann::oracle
