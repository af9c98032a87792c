pos(grandparent(abe,bart)). pos(grandparent(abe,lisa)). pos(grandparent(mona,bart)).
pos(grandparent(jackie,lisa)). pos(grandparent(clancy,bart)).
neg(grandparent(abe,homer)). neg(grandparent(homer,bart)). neg(grandparent(bart,abe)).
neg(grandparent(mona,marge)). neg(grandparent(jackie,marge)). neg(grandparent(marge,bart)).
