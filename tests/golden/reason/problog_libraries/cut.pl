% Clauses in the order of their numbers, up to the first that holds.
:- use_module(library(cut)).
price(2, X, 10) :- member(X). price(3, _, 20). price(1, X, 5) :- staff(X).
0.3::member(ann). 0.5::staff(ann). 0.6::member(bob).
member(cid).
pays(X, P) :- cut(price(X, P)).
rule(X, I) :- cut(price(X, _), I).
staff(none).
query(pays(ann, _)). query(pays(bob, _)). query(pays(cid, _)). query(rule(ann, _)).
