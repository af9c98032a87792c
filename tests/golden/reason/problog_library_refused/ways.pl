:- use_module(library(cut)).
r(1, a, b). r(2, a, c). 0.4::r(0, b, x). r(3, b, c).
q(X, Y) :- cut(r(X, Y)).
query(q(a, _)). query(q(_, _)).
