:- use_module('numbers.py').
:- use_module(library(db)).
:- use_module(library(assert)).
:- consult('missing.pl').
:- unknown(warning).
query(a).
