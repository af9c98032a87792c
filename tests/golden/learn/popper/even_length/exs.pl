pos(even([])). pos(even([1,2])). pos(even([3,1,4,1])).
neg(even([1])). neg(even([1,2,3])). neg(even([2,2,2,2,2])).
