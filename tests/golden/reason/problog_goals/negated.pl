0.6::c. 0.3::\+c. d :- c. 0.2::\+d :- e. 0.7::e.
\+f(X) :- g(X). f(1). 0.5::f(2). 0.4::g(2).
query(c). query(d). query(f(_)). query(\+c).
