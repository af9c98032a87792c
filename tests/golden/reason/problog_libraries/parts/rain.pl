:- consult(more).
0.3::rain :- cloud.
