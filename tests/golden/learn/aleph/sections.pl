:- modeh(1, p(+thing)).
:- begin_bg.
q(a).
:- end_bg.
