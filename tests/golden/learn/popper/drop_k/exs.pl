pos(drop([a,b,c],1,[b,c])). pos(drop([a,b,c,d],3,[d])). pos(drop([b],0,[b])). pos(drop([c,a],2,[])).
neg(drop([a,b,c],1,[c])). neg(drop([a,b,c,d],3,[c,d])). neg(drop([b],0,[])). neg(drop([c,a],1,[c,a])).
