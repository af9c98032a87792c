a :- b, !, c.
0.3::\+ d.
e :- ( b -> c ; d ).
0.2::f ; g :- b.
h(X :- b.
:- use_module(library(sqlite)).
:- use_module('network.py').
:- consult('other.pl').
query(a).
