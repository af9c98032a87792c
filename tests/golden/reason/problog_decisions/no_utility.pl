?::a. 0.5::b.
query(b).
