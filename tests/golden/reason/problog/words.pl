% A grammar s -> x | y s, with 0.6 and 0.4 at each place. By hand: [x] 0.6, [y,x] 0.24, [y,y,x] 0.096.
0.6::stop(_).
s(I, [x]) :- stop(I).
s(I, [y|W]) :- \+ stop(I), J is I + 1, s(J, W).
word(N, W) :- length(W, N), s(0, W).
query(word(N, _)) :- between(1, 3, N).
