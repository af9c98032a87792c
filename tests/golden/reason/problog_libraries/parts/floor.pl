:- module(floor, [slippery/0]).
0.8::slippery :- water.
0.5::water.
