% By hand: four faces each, 3 of 16 pairs sum up to 4; of these 2 have a 1.
1/4::face(D,1) ; 1/4::face(D,2) ; 1/4::face(D,3) ; 1/4::face(D,4) :- die(D).
die(red).
die(blue).
total(S) :- face(red,X), face(blue,Y), S is X + Y.
one :- face(_,1).
evidence(total(4)).
query(one).
query(total(4)).
query(face(red,_)).
