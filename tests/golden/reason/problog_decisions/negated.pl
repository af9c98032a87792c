?::a. ?::b. 0.3::c :- a. 0.6::c :- b. d :- c, \+ a. 0.5::d :- a, b.
utility(c, 7). utility(\+c, -1). utility(a,-2). utility(b, -4.5). utility(d, 3).
