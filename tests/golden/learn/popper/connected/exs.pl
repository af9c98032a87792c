pos(connected(a,b)). pos(connected(a,d)). pos(connected(b,d)). pos(connected(e,e)).
neg(connected(b,a)). neg(connected(a,e)). neg(connected(d,c)). neg(connected(a,a)). neg(connected(f,a)).
