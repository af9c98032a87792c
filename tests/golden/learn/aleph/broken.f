p(b).
p(a.
