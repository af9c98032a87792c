body_pred(red,1).
