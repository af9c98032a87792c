0.5::a.
b :- assertz(a), write(a), nl.
c(L) :- setof(X, a(X), L), subquery(a, P), once(b).
d :- unknown_one(1), \+ other.
query(b).
