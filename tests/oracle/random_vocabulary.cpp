#include "oracle/random_vocabulary.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace neumann::oracle {
namespace {

class VocabularyMaker {
public:
    explicit VocabularyMaker(Rng& rng) : rng_(rng) {}

    Vocabulary make() {
        make_types();
        make_functors();
        find_depths();
        make_bounds();
        make_predicates();
        shuffle(vocabulary_.declarations, rng_);
        return std::move(vocabulary_);
    }

private:
    template <class... Args>
    void declare(fmt::format_string<Args...> format, Args&&... args) {
        vocabulary_.declarations.push_back(":- " + fmt::format(format, std::forward<Args>(args)...) + ".");
    }

    // Constants of different types share words: the same word is then two constants.
    void make_types() {
        const std::vector<std::string> words = {"a", "b", "c", "0", "1st", "'*'", "'Big one'", "'it''s'"};
        const std::size_t count = rng_.chance(0.6) ? 1 + pick(rng_, 2) : 3 + pick(rng_, 2);
        for (std::size_t t = 0; t < count; ++t) {
            Type type{t == 0 && rng_.chance(0.3) ? "'Type'" : fmt::format("t{}", t), {}, {}, {}};
            std::vector<std::string> left = words;
            for (std::size_t n = rng_.chance(0.04) ? 0 : rng_.chance(0.2) ? 1 : 2 + pick(rng_, 3); n > 0; --n) {
                const auto at = left.begin() + static_cast<std::ptrdiff_t>(pick(rng_, left.size()));
                type.constants.push_back(*at);
                left.erase(at);
            }
            declare("type({}, [{}])", type.name, fmt::join(type.constants, ", "));
            vocabulary_.types.push_back(std::move(type));
        }
    }

    void make_functors() {
        const std::size_t count = pick(rng_, 4);
        for (std::size_t f = 0; f < count; ++f) {
            if (rng_.chance(0.4)) {
                make_list(f);
            } else {
                Functor functor{fmt::format("f{}", rng_.chance(0.5) ? 0 : f), {}};
                const std::size_t result = pick(rng_, vocabulary_.types.size());
                const std::size_t arity = rng_.chance(0.6) ? 1 : rng_.chance(0.9) ? 2 : 3;
                for (std::size_t i = 0; i < arity; ++i)
                    functor.args.push_back(rng_.chance(0.4) ? result : pick(rng_, vocabulary_.types.size()));
                const auto same = [&](const Type& t) {
                    return std::ranges::any_of(
                        t.functors, [&](const Functor& g) { return g.name == functor.name && g.args.size() == arity; });
                };
                // A second functor of the shape of a cell would make "the elements of a list" ambiguous.
                const bool second_cell = !vocabulary_.types[result].empty.empty() && arity == 2;
                if (std::ranges::any_of(vocabulary_.types, same) || second_cell) continue;
                declare("functor({}, {})", signature(functor.name, functor.args), vocabulary_.types[result].name);
                vocabulary_.types[result].functors.push_back(std::move(functor));
            }
        }
    }

    void make_list(std::size_t number) {
        const std::size_t element = pick(rng_, vocabulary_.types.size());
        Type type{fmt::format("l{}", number), {}, {}, rng_.chance(0.5) ? "'*'" : "nil"};
        if (rng_.chance(0.3)) {  // a second way to end a list
            type.constants.emplace_back("end");
            declare("type({}, [end])", type.name);
        }
        type.constants.push_back(type.empty);
        type.functors.push_back({fmt::format("c{}", number), {element, vocabulary_.types.size()}, true});
        declare("list({}, {}, {}, {})", type.name, vocabulary_.types[element].name, type.functors[0].name, type.empty);
        vocabulary_.types.push_back(std::move(type));
    }

    void find_depths() {
        for (bool changed = true; changed;) {
            changed = false;
            for (Type& type : vocabulary_.types) {
                unsigned depth = type.constants.empty() ? Type::uninhabited : 0;
                for (const Functor& f : type.functors) depth = std::min(depth, vocabulary_.depth_of(f));
                changed = changed || depth != type.depth;
                type.depth = depth;
            }
        }
    }
    bool leads_to(std::size_t from, std::size_t to, std::set<std::size_t>& seen) const {
        for (const Functor& f : vocabulary_.types[from].functors) {
            for (std::size_t arg : f.args) {
                if (arg == to || (seen.insert(arg).second && leads_to(arg, to, seen))) return true;
            }
        }
        return false;
    }

    std::uint32_t bound() { return rng_.chance(0.08) ? 0 : 1 + rng_.below(3); }

    void make_bounds() {
        for (std::size_t t = 0; t < vocabulary_.types.size(); ++t) {
            const Type& type = vocabulary_.types[t];
            std::set<std::size_t> seen;
            const bool recursive = leads_to(t, t, seen);
            bool bounded = !recursive;
            if (!type.empty.empty()) {
                const bool length = rng_.chance(0.6);
                if (length) declare("max_length({}, {})", type.name, bound());
                const bool no_repeats = rng_.chance(length ? 0.3 : 0.8);
                if (no_repeats) declare("no_repeats({})", type.name);
                bounded = length || no_repeats;
            }
            if (rng_.chance(bounded ? 0.1 : 0.95)) declare("max_depth({}, {})", type.name, bound());
        }
    }

    void make_predicates() {
        const std::size_t count = 2 + pick(rng_, 5);
        for (std::size_t p = 0; p < count; ++p) {
            Predicate predicate{fmt::format("p{}", pick(rng_, 4)), {}};
            for (std::size_t n = rng_.chance(0.6) ? 1 + pick(rng_, 2) : pick(rng_, 4); n > 0; --n)
                predicate.args.push_back(pick(rng_, vocabulary_.types.size()));
            const bool known = std::ranges::any_of(vocabulary_.predicates, [&](const Predicate& q) {
                return q.name == predicate.name && q.args.size() == predicate.args.size();
            });
            if (known) continue;
            predicate.neural = predicate.live = p > 0 && rng_.chance(0.25);
            declare("{}({})", predicate.neural ? "neural" : "pred", signature(predicate.name, predicate.args));
            if (predicate.args.size() > 1 && rng_.chance(0.25))
                declare("distinct({}/{})", predicate.name, predicate.args.size());
            if (!predicate.neural && rng_.chance(0.06))
                declare("learn({}/{}, 1)", predicate.name, predicate.args.size());
            vocabulary_.predicates.push_back(std::move(predicate));
        }
    }

    std::string signature(const std::string& name, const std::vector<std::size_t>& args) const {
        std::vector<std::string> names;
        for (std::size_t arg : args) names.push_back(vocabulary_.types[arg].name);
        return names.empty() ? name : fmt::format("{}({})", name, fmt::join(names, ", "));
    }

    Rng& rng_;
    Vocabulary vocabulary_;
};

}  // namespace

unsigned Vocabulary::depth_of(const Functor& functor) const {
    unsigned deepest = 0;
    for (std::size_t arg : functor.args) deepest = std::max(deepest, types[arg].depth);
    return std::min(Type::uninhabited, deepest + 1);
}

Vocabulary random_vocabulary(Rng& rng) { return VocabularyMaker(rng).make(); }

}  // namespace neumann::oracle
