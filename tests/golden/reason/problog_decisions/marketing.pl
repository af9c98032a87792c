% Who gets an offer? Each costs 2, each sale brings 5.
person(1). person(2). person(3).
friend(1,2). friend(2,1). friend(2,3). friend(3,1).
?::market(P) :- person(P).
0.4::viral(P,Q).
0.3::marketed(P) :- person(P).
buys(P) :- market(P), marketed(P).
buys(P) :- friend(P,Q), buys(Q), viral(P,Q).
utility(buys(P), 5) :- person(P).
utility(market(P), -2) :- person(P).
