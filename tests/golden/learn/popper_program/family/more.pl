pos(grandparent(cleo,gail)).
neg(grandparent(gail,cleo)).
neg(grandparent(ada,gail)).
