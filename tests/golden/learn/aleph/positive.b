:- modeh(1, p(+thing)).
:- modeb(1, q(+thing)).
:- modeb(1, r(+thing)).
:- determination(p/1, q/1).
:- determination(p/1, r/1).
q(a). q(b). r(a). r(b). r(c). r(d).
