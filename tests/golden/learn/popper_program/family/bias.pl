head_pred(grandparent,2).
body_pred(mother,2).
body_pred(father,2).
body_pred(parent,2).
type(grandparent,(person,person)).
type(mother,(person,person)).
type(father,(person,person)).
type(parent,(person,person)).
