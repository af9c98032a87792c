#include "syntax/refused.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace neumann::syntax {
namespace {

struct Refusal {
    std::string_view spelling;
    std::string_view name;
    std::string_view advice;
};

constexpr std::array<Refusal, 18> refusals = {{
    {"!=", "an inequality", "write \\=, as in X \\= Y; of the values of expressions, =\\="},
    {"<=", "a comparison spelled otherwise", "write =<, as in X =< Y"},
    {"=>", "a comparison spelled otherwise", "write >=, as in X >= Y"},
    {"..", "a range of terms",
     "write between(1, 9, X) in a body, or declare a type of integers: :- type(digit, 0..9)."},
    {"#", "an aggregate or a command of answer set programs",
     "there is no #count, #sum or #show; query(p(X)). says what is shown"},
    {"->", "if-then-else", "write (condition, then) ; (\\+ condition, else)"},
    {"!", "the cut", "clauses have no order here; make their conditions exclude each other"},
    {"**", "powers", "write a product: X * X"},
    {"^", "powers", "write a product: X * X"},
    {"@<", "the order of terms", "numbers are compared by < =< > >="},
    {"@>", "the order of terms", "numbers are compared by < =< > >="},
    {"@=<", "the order of terms", "numbers are compared by < =< > >="},
    {"@>=", "the order of terms", "numbers are compared by < =< > >="},
    {"=..", "term construction", "write the term itself: X = f(A,B)"},
    {"-->", "grammar rules", "write clauses over lists"},
    {"?-", "a Prolog query", "write query(p(X)).; of several goals make a clause: answer(X) :- p(X), q(X)."},
    {"{", "curly brackets", "only ( ) and [ ] are brackets here"},
    {"}", "curly brackets", "only ( ) and [ ] are brackets here"},
}};

struct Replacement {
    std::string_view name;
    std::string_view advice;
    std::optional<std::size_t> arity = {};  // of a predicate that only then is Prolog's
};

constexpr std::array<Replacement, 11> directives = {{
    {"table", "leave it out: recursion ends by itself here"},
    {"dynamic", "leave it out; what has neither facts nor clauses is declared by :- pred(p(type))."},
    {"discontiguous", "leave it out: the clauses of a predicate may stand anywhere"},
    {"multifile", "leave it out: the clauses of a predicate may stand anywhere"},
    {"use_module", "leave it out: there are no modules; :- include('file.nm'). reads another file"},
    {"module", "leave it out: there are no modules; :- include('file.nm'). reads another file"},
    {"ensure_loaded", "write :- include('file.nm')."},
    {"consult", "write :- include('file.nm')."},
    {"initialization", "leave it out; query(p(X)). says what is asked"},
    {"set_prolog_flag", "leave it out"},
    {"style_check", "leave it out; --no-warn NAME switches a warning off"},
}};

constexpr std::string_view no_output = "nothing is printed while reasoning; query(p(X)). says what is shown";
constexpr std::string_view no_collections =
    "aggregate_all(count, goal, N) counts its instances; there are no lists of them";
constexpr std::string_view no_change = "facts do not change while reasoning";
constexpr std::string_view no_type_tests = "leave it out: every variable has a type";
constexpr std::string_view no_library =
    "it is not built in: write its clauses, with a bound on the length of lists; files .pl have ProbLog's lists";

constexpr std::array<Replacement, 50> built_in = {{
    {"write", no_output},
    {"writeln", no_output},
    {"print", no_output},
    {"format", no_output},
    {"nl", no_output},
    {"findall", no_collections},
    {"bagof", no_collections},
    {"setof", no_collections},
    {"all", no_collections, 3},
    {"all_or_none", no_collections, 3},
    {"assert", no_change},
    {"asserta", no_change},
    {"assertz", no_change},
    {"retract", no_change},
    {"retractall", no_change},
    {"atom", no_type_tests, 1},
    {"number", no_type_tests, 1},
    {"integer", no_type_tests, 1},
    {"var", no_type_tests, 1},
    {"nonvar", no_type_tests, 1},
    {"ground", no_type_tests, 1},
    {"call", "write the goal itself"},
    {"fail", "leave the clause out: what nothing says does not hold"},
    {"false", "leave the clause out: what nothing says does not hold"},
    {"succ", "write Y is X + 1"},
    {"functor", "write the term itself", 3},
    {"subquery", "ask for it by a query of its own"},
    {"consult", "a program is one file: put its clauses there"},
    {"once", "every answer counts: leave it out, or say which one is meant"},
    {"ignore", "what may fail decides nothing: leave it out"},
    {"clause", "rules are no data here", 2},
    {"member", "it is not built in; write member(X, [X|_]). member(X, [_|T]) :- member(X, T)."},
    {"append", "it is not built in; write append([], L, L). append([H|T], L, [H|R]) :- append(T, L, R)."},
    {"length", "it is not built in; write length([], 0). length([_|T], N) :- length(T, M), N is M + 1."},
    {"nth0", no_library, 3},
    {"nth1", no_library, 3},
    {"reverse", no_library, 2},
    {"select", no_library, 3},
    {"select_uniform", no_library, 4},
    {"select_weighted", no_library, 5},
    {"sum_list", no_library, 2},
    {"sumlist", no_library, 2},
    {"max_list", no_library, 2},
    {"min_list", no_library, 2},
    {"last", no_library, 2},
    {"msort", no_library, 2},
    {"sort", no_library, 2},
    {"maplist", no_library},
    {"foldl", no_library},
    {"memberchk", no_library, 2},
}};

}  // namespace

bool report_refused_directive(std::string_view name, Span span, Diagnostics& diagnostics) {
    const auto found = std::ranges::find(directives, name, &Replacement::name);
    if (found == directives.end()) return false;
    diagnostics.report(codes::unsupported, span, fmt::format("not part of the language: Prolog's directive '{}'", name),
                       std::string(found->advice));
    return true;
}

std::string_view advice_without(std::string_view predicate, std::size_t arity) {
    const auto found = std::ranges::find(built_in, predicate, &Replacement::name);
    const bool is_it = found != built_in.end() && found->arity.value_or(arity) == arity;
    return is_it ? found->advice : std::string_view();
}

void report_refused(std::string_view spelling, Span span, Diagnostics& diagnostics) {
    for (const Refusal& refusal : refusals) {
        if (refusal.spelling == spelling) {
            diagnostics.report(codes::unsupported, span,
                               fmt::format("not part of the language: {} ('{}')", refusal.name, spelling),
                               std::string(refusal.advice));
            return;
        }
    }
    diagnostics.report(codes::syntax, span, fmt::format("unexpected '{}'", spelling));
}

}  // namespace neumann::syntax
