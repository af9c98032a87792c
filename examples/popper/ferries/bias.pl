% Which harbours a traveller can get to: learned from pairs of harbours.
head_pred(reach,2).
body_pred(link,2).
body_pred(closed,1).
type(reach,(harbour,harbour)).
type(link,(harbour,harbour)).
type(closed,(harbour,)).
max_vars(3).
max_body(3).
enable_recursion.
