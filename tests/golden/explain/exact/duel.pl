% Negation within a predicate, and names of several kinds. By hand: 0.3 * 0.4 = 0.12 for both, draw 0.42 + 0.12.
0.3::hits(anna).
0.4::hits('Don Juan').
wins(anna) :- hits(anna), \+ hits('Don Juan').
wins('Don Juan') :- hits('Don Juan'), not hits(anna).
wins("nobody") :- \+ wins(anna), \+ wins('Don Juan').
query(wins(_)).
