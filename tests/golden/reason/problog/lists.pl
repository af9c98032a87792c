% What is certain: all hold but false_one.
:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic extra/1.
double(X, Y) :- Y is 2 * X.
q(1) :- append(X, [c], [a, b, c]), X = [a, b].
q(2) :- maplist(double, [1, 2], [2, 4]), foldl(plus, [1, 2, 3], 0, 6).
q(3) :- nth0(0, [a, b], a), nth1(2, [a, b], b), last([1, 2], 2), reverse([1, 2], [2, 1]).
q(4) :- msort([b, a, b], [a, b, b]), sort([b, a, b], [a, b]), sum_list([1, 2], 3), max_list([1, 3, 2], 3).
q(5) :- forall(member(X, [2, 4]), 0 is X mod 2), \+ forall(member(X, [2, 3]), X > 2).
q(6) :- T =.. [f, a], functor(T, f, 1), 7 is 2 ** 3 - 1, 1 is integer(1.6), a @< b.
q(7) :- ( fail ; true ), \+ extra(_), call(member, 1, [1]), "a" \== a.
false_one :- member(_, []).
query(q(_)).
query(false_one).
