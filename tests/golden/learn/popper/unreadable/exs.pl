pos(good(a)).
