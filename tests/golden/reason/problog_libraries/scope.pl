:- use_module(library(scope)).
scope(1):a. scope(1):b. 0.5::scope(2):b. 0.3::d. scope(2):c :- d.
query(scope(1):(a,b)). query([scope(1),scope(2)]:b). query(scope(1):d). query(scope(2):c).
query([scope(1),scope(2)]:(a,c)).
