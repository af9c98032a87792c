% one clause, or two
head_pred(grandparent,2).
body_pred(father,2).
body_pred(mother,2).
type(grandparent,(person,person)).
type(father,(person,person)).
type(mother,(person,person)).
max_vars(3).
max_body(2).
a_constraint_of_its_own(1).
