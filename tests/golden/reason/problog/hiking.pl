% By hand: chances 1/3 and 1/2 for each item, weights 3 and 2. Packed at all: 1 - 2/3*1/2 = 2/3;
% heavy (more than 4) needs both: 1/6. Given that something is packed: heavy 1/4, tent 1/2, stove 3/4.
item(tent, 3).
item(stove, 2).
P::packed(I) :- item(I, W), P is 1.0 / W.
load([], 0).
load([I|Is], L) :- packed(I), item(I, W), load(Is, M), L is M + W.
load([I|Is], L) :- \+ packed(I), load(Is, L).
heavy :- load([tent, stove], L), L > 4.
something :- packed(_).
evidence(something, true).
query(heavy).
query(packed(_)).
