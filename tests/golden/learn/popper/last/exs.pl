pos(last([a],a)). pos(last([a,b],b)). pos(last([c,a,b,d],d)).
neg(last([a,b],a)). neg(last([c,a,b,d],b)). neg(last([c,a,b],c)). neg(last([c,a,b],a)).
