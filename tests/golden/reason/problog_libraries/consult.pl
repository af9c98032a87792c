:- consult('parts/rain.pl').
:- use_module('parts/floor').
0.5::sprinkler.
wet :- rain. wet :- sprinkler.
query(wet). query(slippery).
