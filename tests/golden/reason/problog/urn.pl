% By hand: the first draw is any of three, the second any of the other two.
:- use_module(library(lists)).
balls([red, red2, blue]).
draw(X, Y) :- balls(L), select_uniform(first, L, X, Rest), select_uniform(second, Rest, Y, _).
both_red :- draw(X, Y), X \= blue, Y \= blue.
query(draw(blue, _)).
query(both_red).
