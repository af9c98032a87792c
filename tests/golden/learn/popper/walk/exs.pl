#first
pos(f(w(0,0),w(2,1))).
neg(f(w(0,0),w(1,1))).
neg(f(w(0,0),w(2,0))).
