% Trains and their cars; which of them go east?
:- modeh(1, eastbound(+train)).
:- modeb(*, has_car(+train, -car)).
:- modeb(1, shape(+car, #shape)).
:- modeb(1, roof(+car,
                 #roof)).                 % over two lines
:- modeb(1, closed(+car)).
:- modeb(1, load(+car, #goods, #number)).
:- modeb(1, unused(+car)).
:- determination(eastbound/1, has_car/2).
:- determination(eastbound/1, shape/2).
:- determination(eastbound/1, roof/2).
:- determination(eastbound/1, closed/1).
:- determination(eastbound/1, load/3).
:- determination(eastbound/1, forgotten/1).
:- set(clauselength, 4).
:- set(noise, 0), set(i, 2).
:- set(verbosity, 0).
:- use_module(library(lists)).
:- dynamic extra/1.

closed(C) :- roof(C, R), R \= none.

has_car(t1, c11). shape(c11, long).  roof(c11, none). load(c11, box, 2).
has_car(t1, c12). shape(c12, short). roof(c12, flat). load(c12, coal, 1).
has_car(t2, c21). shape(c21, short). roof(c21, peak). load(c21, box, 1).
has_car(t3, c31). shape(c31, short). roof(c31, flat). load(c31, box, 3).
has_car(t3, c32). shape(c32, long).  roof(c32, flat). load(c32, coal, 2).
has_car(t4, c41). shape(c41, short). roof(c41, none). load(c41, box, 2).
has_car(t4, c42). shape(c42, long).  roof(c42, peak). load(c42, box, 1).
has_car(t5, c51). shape(c51, long).  roof(c51, flat). load(c51, coal, 1).
has_car(t6, c61). shape(c61, short). roof(c61, none). load(c61, coal, 1).
