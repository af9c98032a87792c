?::a. 0.5::b.
utility(a, 2).
evidence(b).
