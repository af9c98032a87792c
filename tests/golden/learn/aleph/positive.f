p(a).
p(b).
