0.5::a.
b :- fail.
evidence(b).
query(a).
