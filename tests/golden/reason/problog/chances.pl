% By hand: rain is 1 - 0.5*0.6 = 0.7, wet(1) 1 - 0.3*0.75 = 0.775, wet(2) 0.7.
0.5::rain.
0.4::rain.
1/4::hose(1).
wet(L) :- lawn(L), rain.
wet(L) :- hose(L).
lawn(1). lawn(2).
query(rain).
query(wet(_)).
