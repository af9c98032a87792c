:- use_module(library(collect)).
:- use_module(library(aggregate)).
0.5::cell(1, x, 4). 0.4::cell(2, x, 6). cell(1, y, 3).
collect_avg(C, G, V, R) :- aggregate(avg, V, G, C, (G, R)).
collect_size(C, G, R) :- all(G, C, L), length(L, R).
mean(Y, A) :- ( cell(_, Y, V) ) => Y / avg(V, A).
cells(N) :- ( cell(_, _, _) ) => size(N).
query(mean(_, _)). query(cells(_)).
