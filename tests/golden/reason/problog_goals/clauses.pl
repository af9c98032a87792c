p(1) :- unknown_one. q(X) :- p(X), r(X) ; s(X). f.
body(B) :- clause(p(1), B).
fact(B) :- clause(f, B).
none(B) :- clause(nothing, B).
query(body(_)). query(fact(_)). query(none(x)).
