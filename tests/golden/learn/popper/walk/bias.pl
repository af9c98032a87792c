% steps on a grid by constraints over whole numbers
head_pred(f,2).
body_pred(right,2).
body_pred(up,2).
direction(f,(in,out)).
direction(right,(in,out)).
direction(up,(in,out)).
