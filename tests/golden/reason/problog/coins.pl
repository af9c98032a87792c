% By enumeration of the coins: two of three heads 0.5*0.5*0.2 + 2*0.5*0.5*0.8 = 0.45.
:- use_module(library(lists)).
PH::side(C, heads) ; PT::side(C, tails) :- coin(C, PH), PT is 1 - PH.
coin(penny, 0.5).
coin(dime, 0.5).
coin(bent, 0.8).
count(N) :- sides([penny, dime, bent], L), findall(x, member(heads, L), Hs), length(Hs, N).
sides([], []).
sides([C|Cs], [S|Ss]) :- side(C, S), sides(Cs, Ss).
query(sides([penny, bent], _)).
two :- sides([penny, dime, bent], L), two_in(L).
two_in(L) :- findall(I, nth1(I, L, heads), [_, _]).
query(two).
