0.4::heads(1).
t(_,X)::heads(X) :- coin(X).
all(L) :- findall(X, heads(X), L).
first(X) :- member(X, [1, 2]), !.
add :- assertz(heads(3)), write(done), nl.
member_of(X) :- heads(X), \+ (number(X), var(X)).
last(X) :- heads(X).
use(X) :- last(X).
