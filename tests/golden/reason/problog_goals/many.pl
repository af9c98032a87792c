0.5::a(X) :- between(1, 40, X).
how_many(N) :- findall(X, a(X), L), length(L, N).
counted(N) :- aggregate_all(count, a(_), N).
largest(N) :- aggregate_all(max(X), a(X), N).
most :- how_many(N), N > 20.
none :- how_many(0).
query(how_many(20)). query(counted(3)). query(largest(38)). query(most).
