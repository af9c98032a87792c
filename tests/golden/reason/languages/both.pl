0.5::a. 0.5::b. query((a,b)).
