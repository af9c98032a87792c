tail([_|T],T).
head([H|_],H).
empty([]).
