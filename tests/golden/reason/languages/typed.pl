0.3::edge(a,b).
0.6::edge(b,c).
path(X,Y) :- edge(X,Y).
path(X,Z) :- edge(X,Y), path(Y,Z).
query(path(a,c)).
