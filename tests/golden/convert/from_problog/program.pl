% Coins, as ProbLog has them.
:- use_module(library(lists)).
0.4::heads(1). 0.7::heads(2).
0.5::biased.
0.3::biased.                 % a second chance
t(0.25)::lucky.
0.2::red ; 0.8::blue :- heads(1).
win :- heads(_), \+ lucky, biased.
evidence(lucky, false).
query(win).
