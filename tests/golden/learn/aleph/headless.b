:- modeb(1, q(+thing)).
q(a).
