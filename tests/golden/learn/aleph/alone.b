:- modeh(1, p(+thing)).
:- modeb(1, q(+thing)).
q(a).
