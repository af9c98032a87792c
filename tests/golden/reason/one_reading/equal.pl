f(A) :- A == u. q :- f(A). query(q).
