0.5::a(X).
b :- a(_).
query(b).
