n(16, X) :- X is 0x10.
n(bits, X) :- X is 0b101 /\ 0o7 \/ (1 << 4) xor 3.
n(half, X) :- X is 4 / 2.
n(whole, X) :- X is 7 // 2.
n(log, X) :- X is log10(100).
o(X) :- compare(X, 1, 2).
o(X) :- compare(X, b, a).
o(X) :- compare(X, f(Y), f(Y)).
o(X) :- compare(X, a, f(a)).
arg_of(X, Y) :- arg(X, f(a, b), Y).
query(n(_, _)). query(o(_)). query(arg_of(1, _)).
