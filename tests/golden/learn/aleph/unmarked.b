:- modeh(1, p(thing)).
