tail([_|T],T).
pred(A,B) :- A > 0, B is A-1.
zero(0).
same(A,A).
