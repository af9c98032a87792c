0.5::a. 0.4::b. 0.2::c(1). 0.3::c(2). d(1). d(2).
q :- ( a -> b ; \+ b ).
first(X) :- ( c(X) -> true ; X = none ).
each(X) :- d(X), ( c(X) *-> true ; a ).
only :- ( a -> b ).
query(q). query(first(_)). query(each(_)). query(only).
