:- modeh(1, p(+thing)).
:- modeb(q(+thing)).
