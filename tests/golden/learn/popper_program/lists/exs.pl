pos(last([a,b,c],c)).
pos(last([b,d],d)).
pos(last([e],e)).
neg(last([a,b],a)).
