:- unknown(fail).
0.5::a :- b.
0.4::c :- \+ b.
query(a). query(c).
