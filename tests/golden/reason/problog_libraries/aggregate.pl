% Averages, sums and extremes by group; a predicate of the program as the function of a group.
:- use_module(library(aggregate)).
:- use_module(library(lists)).
works(ann, sales). works(bob, sales). works(cid, labs). works(dan, sales).
0.5::earns(ann, 10). earns(bob, 20). earns(cid, 5). 0.4::earns(dan, 20).
mean(D, avg<S>) :- works(P, D), earns(P, S).
total(D, sum<S>) :- works(P, D), earns(P, S).
least(min<S>) :- earns(_, S).
most(max<S>) :- earns(_, S).
reach(D, ends<S>) :- works(P, D), earns(P, S).
ends(L, R) :- L = [A|T], R = A - T.
query(mean(_, _)). query(total(_, _)). query(least(_)). query(most(_)). query(reach(_, _)).
