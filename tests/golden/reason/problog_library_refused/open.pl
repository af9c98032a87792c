0.5::b(1, x). 0.4::b(2, y).
q(L, Y) :- findall(X, b(X, Y), L).
query(q(_, _)).
