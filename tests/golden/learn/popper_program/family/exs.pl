pos(grandparent(ada,dan)).
pos(grandparent(ada,eva)).
pos(grandparent(bob,fred)).
neg(grandparent(ada,bob)).
neg(grandparent(bob,eva)).
neg(grandparent(fred,ada)).
neg(grandparent(cleo,eva)).
