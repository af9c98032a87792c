neg(father(ada,bob)).
