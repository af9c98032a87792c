#include "syntax/refused.h"

#include <array>

#include <fmt/format.h>

namespace neumann::syntax {
namespace {

struct Refusal {
    std::string_view spelling;
    std::string_view name;
    std::string_view advice;
};

constexpr std::string_view arithmetic_advice =
    "there is no arithmetic; write numbers as terms (0, s(0), …) and relations as facts or clauses";

constexpr std::array<Refusal, 23> refusals = {{
    {"\\+", "negation", "declare a predicate for the opposite and give it facts or a neural value (diff_color/2)"},
    {"not", "negation", "declare a predicate for the opposite and give it facts or a neural value (diff_color/2)"},
    {";", "disjunction", "write one clause for each alternative; annotated disjunctions (0.3::a; 0.7::b) do not exist"},
    {"!=", "an inequality", "write \\=, as in X \\= Y"},
    {"..", "a range", "list the constants one by one: [1, 2, 3]"},
    {"#", "an aggregate or a command of answer set programs",
     "there is no #count, #sum or #show; :- query(p(X)). says what is shown"},
    {"->", "if-then-else", "write one clause for each case"},
    {"!", "the cut", "clauses have no order here; make their conditions exclude each other"},
    {"is", "arithmetic", arithmetic_advice},
    {"<", "arithmetic comparison", arithmetic_advice},
    {">", "arithmetic comparison", arithmetic_advice},
    {"=<", "arithmetic comparison", arithmetic_advice},
    {">=", "arithmetic comparison", arithmetic_advice},
    {"=:=", "arithmetic comparison", arithmetic_advice},
    {"=\\=", "arithmetic comparison", arithmetic_advice},
    {"==", "term identity", "write = (terms are compared when the clause is grounded)"},
    {"\\==", "term identity", "write \\= (terms are compared when the clause is grounded)"},
    {"=..", "term construction", "write the term itself: X = f(A,B)"},
    {"-->", "grammar rules", "write clauses over lists"},
    {"?-", "a Prolog query", "write :- query(answer(X))."},
    {"\"", "strings", "use a quoted name: 'like this'"},
    {"{", "curly brackets", "only ( ) and [ ] are brackets here"},
    {"}", "curly brackets", "only ( ) and [ ] are brackets here"},
}};

}  // namespace

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
