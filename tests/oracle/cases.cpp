#include "oracle/cases.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyse/analyse.h"
#include "oracle/seeds.h"
#include "syntax/load.h"

namespace neumann::oracle {
namespace {

constexpr unsigned most_attempts = 200;

// Whether every way in which a type leads back to itself passes a bound: a max_depth, or the tail of a list with a
// bound. Such a program must not be refused; others may be even if, looked at closely, their terms are finitely many.
bool is_bounded(const Signature& signature) {
    const auto types = static_cast<std::uint32_t>(signature.types().size());
    for (std::uint32_t t = 0; t < types; ++t) {
        std::vector<bool> below(types, false);
        for (std::uint32_t round = 0; round < types; ++round) {
            for (std::uint32_t f = 0; f < signature.functors().size(); ++f) {
                const FunctorDecl& functor = signature.functor(FunctorId(f));
                const TypeDecl& type = signature.type(functor.result);
                if ((functor.result != TypeId(t) && !below[functor.result.index()]) || type.max_depth) continue;
                const bool bounded_tail =
                    type.list && type.list->cons == FunctorId(f) && (type.max_length || type.no_repeats);
                for (std::size_t i = 0; i < functor.args.size(); ++i) {
                    if (i != 1 || !bounded_tail) below[functor.args[i].index()] = true;
                }
            }
        }
        if (below[t]) return false;
    }
    return true;
}

std::optional<Case> make_case(std::uint64_t seed, ProgramText source, std::string& errors) {
    Case result{seed, std::move(source), {}, {}};
    result.text = text_of(result.source);
    const Program program = load(result.source, true, &errors);
    const bool unbounded = errors.find("[unbounded-type]") != std::string::npos;
    if (!errors.empty() && !unbounded) return std::nullopt;
    std::optional<BruteForce> brute = brute_force(program, {});
    if (!brute || (unbounded && !is_bounded(program.signature))) {
        errors.clear();
        return std::nullopt;
    }
    result.brute = std::move(*brute);
    return result;
}

Program analysed(Program program, Diagnostics& diagnostics, const std::string& text, bool full, std::string* errors) {
    if (!diagnostics.has_errors()) {
        AnalyseOptions options;
        options.full_grounding = full;
        analyse(program, options, diagnostics);
    }
    const std::string rendered = diagnostics.has_errors() ? render(diagnostics, *program.sources) : "";
    if (errors != nullptr) {
        *errors = rendered;
    } else if (!rendered.empty()) {
        throw std::logic_error("the program is refused:\n" + rendered + "\n" + text);
    }
    return program;
}

std::string run(const Check& check, const Case& one) {
    try {
        return check(one);
    } catch (const std::exception& e) {
        return e.what();
    }
}

// Drops whatever can be dropped while the check still fails.
class Shrinker {
public:
    Shrinker(Case failing, const Check& check) : smallest_(std::move(failing)), check_(check) {}

    Case shrink() {
        for (bool smaller = true; smaller;) {
            smaller = drop(&ProgramText::queries) || drop(&ProgramText::labels) || drop(&ProgramText::clauses) ||
                      drop(&ProgramText::facts) || drop(&ProgramText::declarations) || drop_goal();
        }
        return smallest_;
    }

private:
    bool accept(ProgramText candidate) {
        std::string errors;
        std::optional<Case> found = make_case(smallest_.seed, std::move(candidate), errors);
        if (!found || !errors.empty() || run(check_, *found).empty()) return false;
        smallest_ = std::move(*found);
        return true;
    }
    template <class T>
    bool drop(std::vector<T> ProgramText::*part) {
        for (std::size_t i = 0; i < (smallest_.source.*part).size(); ++i) {
            ProgramText candidate = smallest_.source;
            (candidate.*part).erase((candidate.*part).begin() + static_cast<std::ptrdiff_t>(i));
            if (accept(std::move(candidate))) return true;
        }
        return false;
    }
    bool drop_goal() {
        for (std::size_t c = 0; c < smallest_.source.clauses.size(); ++c) {
            for (std::size_t i = 0; i < smallest_.source.clauses[c].body.size(); ++i) {
                ProgramText candidate = smallest_.source;
                ClauseText& clause = candidate.clauses[c];
                clause.body.erase(clause.body.begin() + static_cast<std::ptrdiff_t>(i));
                clause.says_true = clause.body.empty();
                const std::vector<unsigned> uses = variable_uses(clause);
                if (std::ranges::find(uses, 0U) != uses.end() && clause.body.empty()) continue;
                if (accept(std::move(candidate))) return true;
            }
        }
        return false;
    }

    Case smallest_;
    const Check& check_;
};

bool something_follows(const BruteForce& brute) {
    const std::vector<bool> derivable = derivable_atoms(brute);
    for (std::size_t a = 0; a < derivable.size(); ++a) {
        if (derivable[a] && !brute.fact[a] && !brute.neural[a]) return true;
    }
    return false;
}

// The first small program that this seed leads to. Programs in which nothing follows test little: one seed in five has
// them.
Case case_of(std::uint64_t seed, const Generator& generator) {
    Rng rng(seed);
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
        std::string errors;
        ProgramText source = generator(rng);
        std::optional<Case> found = make_case(seed, source, errors);
        if (!errors.empty()) throw std::logic_error("a legal program is refused:\n" + errors + "\n" + text_of(source));
        if (found && (seed % 5 == 0 || something_follows(found->brute))) return std::move(*found);
    }
    throw std::logic_error("no small program found");
}

}  // namespace

void check_programs(std::uint64_t first_seed, std::uint64_t count, const Check& check, const Generator& generator) {
    for_each_seed(first_seed, count, [&](std::uint64_t seed) {
        try {
            const Case one = case_of(seed, generator);
            if (run(check, one).empty()) return;
            const Case smallest = Shrinker(one, check).shrink();
            FAIL() << "seed " << seed << ": " << run(check, smallest) << "\nshrunk program:\n" << smallest.text;
        } catch (const std::exception& e) {
            FAIL() << "seed " << seed << ": " << e.what();
        }
    });
}

Program load(const std::string& text, bool full, std::string* errors) {
    Diagnostics diagnostics;
    return analysed(parse_program("seed.nm", text, LoadOptions{}, diagnostics), diagnostics, text, full, errors);
}

Program load(const ProgramText& source, bool full, std::string* errors) {
    Diagnostics diagnostics;
    const std::string text = text_of(source, Signs::Hidden);
    Program program = parse_program("seed.nm", text, LoadOptions{}, diagnostics);
    if (!diagnostics.has_errors()) {
        for (std::size_t c = 0; c < source.clauses.size(); ++c) {
            auto goal = program.clauses[c].body.begin();
            for (const GoalText& written : source.clauses[c].body) {
                if (written.kind == GoalText::Kind::Atom) (goal++)->negated = written.negated;
            }
        }
    }
    return analysed(std::move(program), diagnostics, text_of(source), full, errors);
}

Grounded ground_program(Program program, const GroundOptions& given) {
    GroundOptions options = given;
    options.memory_limit = std::uint64_t{1} << 26;  // ample; what would go on for ever ends here
    Diagnostics diagnostics;
    std::optional<GroundProgram> ground = neumann::ground(program, options, diagnostics);
    if (!ground) throw std::logic_error("not grounded:\n" + render(diagnostics, *program.sources));
    return {std::move(program), std::move(*ground)};
}

Grounded ground_case(const Case& one, const GroundOptions& options) {
    return ground_program(load(one.source, options.mode == GroundMode::Full), options);
}

Grounded ground_text(const std::string& text, const GroundOptions& options) {
    return ground_program(load(text, options.mode == GroundMode::Full), options);
}

std::string Grounded::text_of(std::uint32_t atom) const {
    return plain_text(program, ground.atoms.predicate_of(AtomId(atom)), ground.atoms.args_of(AtomId(atom)));
}

Translated translate(const BruteForce& brute, const Grounded& grounded) {
    const ReasoningGraph& graph = grounded.ground.graph;
    const std::size_t atoms = brute.atoms.size();
    Translated result{std::vector<bool>(atoms, false), std::vector<double>(atoms, 0), {}};
    std::vector<std::uint32_t> number;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        const std::string text = grounded.text_of(a);
        const auto found = std::ranges::lower_bound(brute.atoms, text);
        if (found == brute.atoms.end() || *found != text)
            throw std::logic_error("the atom " + text + " does not exist");
        number.push_back(static_cast<std::uint32_t>(found - brute.atoms.begin()));
        if (result.present[number[a]]) throw std::logic_error("the atom " + text + " stands twice in the graph");
        result.present[number[a]] = true;
        result.initial[number[a]] = static_cast<double>(graph.initial[a]);
    }
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        Instance instance{graph.clause[c], number[graph.head[c]], {}, {}};
        for (const GraphLiteral literal : graph.literals(c))
            (literal.negated() ? instance.negated : instance.body).push_back(number[literal.atom()]);
        std::ranges::sort(instance.body);
        std::ranges::sort(instance.negated);
        result.instances.push_back(std::move(instance));
    }
    std::ranges::sort(result.instances);
    return result;
}

std::string compare(const BruteForce& brute, const Translated& actual, const std::vector<bool>& atoms,
                    const std::vector<Instance>& instances) {
    for (std::size_t a = 0; a < atoms.size(); ++a) {
        if (atoms[a] != actual.present[a])
            return (atoms[a] ? "the graph lacks the atom " : "the graph should not have the atom ") + brute.atoms[a];
    }
    const auto describe = [&](const Instance& i) {
        std::vector<std::string> body;
        for (std::uint32_t atom : i.body) body.push_back(brute.atoms[atom]);
        for (std::uint32_t atom : i.negated) body.push_back("\\+ " + brute.atoms[atom]);
        return fmt::format("{} :- {} (clause {})", brute.atoms[i.head], fmt::join(body, ", "), i.clause);
    };
    const auto [expected, found] = std::ranges::mismatch(instances, actual.instances);
    if (expected == instances.end() && found == actual.instances.end()) return {};
    const bool lacks = found == actual.instances.end() || (expected != instances.end() && *expected < *found);
    return fmt::format("{} ground clauses instead of {}; the graph {} {}", actual.instances.size(), instances.size(),
                       lacks ? "lacks" : "should not have, or not so often,", describe(lacks ? *expected : *found));
}

}  // namespace neumann::oracle
