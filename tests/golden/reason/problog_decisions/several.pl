?::a ; ?::b.
utility(a, 2).
c ~ normal(0, 1).
