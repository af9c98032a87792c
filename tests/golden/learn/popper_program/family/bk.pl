% A family of four generations.
:- discontiguous mother/2.
mother(ada,bob). mother(ada,cleo). mother(cleo,eva).
father(bob,dan). father(dan,fred).
mother(eva,gail).
parent(X,Y) :- mother(X,Y).
parent(X,Y) :- father(X,Y).
