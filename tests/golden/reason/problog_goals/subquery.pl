0.5::a(1). 0.5::a(2). 0.3::a(3). 0.4::c :- a(1).
given(P) :- subquery(c, P, [a(1)]).
not_given(P) :- subquery(c, P, [\+a(1)]).
each(X, P) :- subquery(a(X), P).
never(P) :- subquery(a(9), P).
both(P) :- a(1), subquery(a(1), P).
likely(X) :- subquery(a(X), P), P > 0.4.
query(given(_)). query(not_given(_)). query(each(_, _)). query(never(_)). query(both(_)). query(likely(_)).
evidence(a(2)).
