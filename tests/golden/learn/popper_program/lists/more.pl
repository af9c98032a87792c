pos(last([x,y,z,w],w)).
neg(last([x,y],x)).
