0.5::a(X) :- between(1, 40, X).
q(L) :- findall(X, a(X), L).
n :- findall(X, a(X), 3).
query(q(_)).
