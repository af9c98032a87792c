0.5::p(a). 0.5::p(b). t :- X == a, p(X). query(t).
