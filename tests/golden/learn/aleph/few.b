:- modeh(1, p(+thing)).
:- modeb(1, q(+thing)).
:- set(clauselength, few).
q(a).
