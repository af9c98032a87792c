empty([]).
tail([_|T],T).
