p(f(X)) :- q(X).
q(a).
