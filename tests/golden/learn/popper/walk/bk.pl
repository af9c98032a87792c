:- use_module(library(clpfd)).
right(w(X1,Y),w(X2,Y)) :- X1 #< 10, X2 #= X1 + 1.
up(w(X,Y1),w(X,Y2)) :- Y1 #< 10, Y2 #= Y1 + 1.
