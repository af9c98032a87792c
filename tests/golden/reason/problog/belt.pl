% A state for each time, called with the time known. By recursion: up(0) 1, up(t+1) = 0.9 up(t) + 0.5 (1 - up(t)):
% up(1) 0.9, up(2) 0.86, up(3) 0.844.
1.0::up(0) ; 0.0::down(0).
0.9::up(T) ; 0.1::down(T) :- T > 0, S is T - 1, up(S).
0.5::up(T) ; 0.5::down(T) :- T > 0, S is T - 1, down(S).
query(up(T)) :- between(1, 3, T).
query(down(3)).
