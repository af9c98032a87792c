normal(0,1)::x.
gaussian(2,1)::y(X) :- z(X).
query(x).
