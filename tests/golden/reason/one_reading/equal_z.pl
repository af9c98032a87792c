f(A) :- A == u. q :- f(A). query(q).
0.5::z. 0.5::z.
