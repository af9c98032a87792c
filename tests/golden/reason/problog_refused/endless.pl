0.5::a.
n(X) :- a, n(s(X)).
query(n(0)).
