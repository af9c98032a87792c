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
    {"?-", "a Prolog query", "write query(answer(X))."},
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
