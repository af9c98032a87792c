% A thousand observations, whose probability is far below what a double can hold.
time(T) :- between(1, 1000, T).
0.3::rain.
0.01::wet(T) :- time(T), rain.
0.01::wet(T) :- time(T), \+ rain.
evidence(wet(T)) :- time(T).
query(rain).
