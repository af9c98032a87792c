% A constraint holds: worlds in which it does not are left out.
0.5::a. 0.4::b.
constraint((a ; b)).
query(a). query(b).
