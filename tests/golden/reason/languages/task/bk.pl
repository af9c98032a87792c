g(a).
