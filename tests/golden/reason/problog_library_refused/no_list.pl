a. n :- findall(x, a, 3).
query(n).
