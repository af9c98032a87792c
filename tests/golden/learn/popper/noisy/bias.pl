head_pred(good,1).
body_pred(red,1).
body_pred(near,2).
