% Lists for every set of uncertain answers; numbers of many answers without lists.
0.5::a(1). 0.5::a(2). 0.3::a(3).
all_of(L) :- all(X, a(X), L).
any_of(L) :- all_or_none(X, a(X), L).
found(L) :- findall(X, a(X), L).
query(all_of(_)). query(any_of(_)). query(found(_)).
query(subset(L)) :- findall(X, a(X), L).
subset([1]). subset([]). subset([1, 2]). subset([3]) :- a(3).
subset([2]) :- a(1). subset([1, 3]) :- a(1). subset([2, 3]) :- a(1). subset([1, 2, 3]) :- a(1).
