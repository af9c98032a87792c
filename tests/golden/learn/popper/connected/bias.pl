head_pred(connected,2).
body_pred(edge,2).
enable_recursion.
max_clauses(2).
max_vars(3).
