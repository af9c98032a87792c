scope(1):a. 0.2::scope(2):b. scope(3):X :- scope(1):X ; scope(2):X.
(x:y):z. x:(y:w).
query(scope(3):_). query(_:a). query((x:y):z). query(x:_).
