0.5::p(a). 0.5::p(b). d(a). d(b). q(X) :- \+ p(X), d(X). query(q(X)).
