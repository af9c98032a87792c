0.5::a.
p :- a, \+ q.
q :- \+ p.
query(p).
