head_pred(even,1).
body_pred(empty,1).
body_pred(tail,2).
enable_recursion.
direction(even,(in,)).
direction(empty,(in,)).
direction(tail,(in,out)).
