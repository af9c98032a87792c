/* One file with sections, in which a relation needs itself. */
:- modeh(1, ancestor(+person, +person)).
:- modeb(*, parent(+person, -person)).
:- modeb(*, parent(-person, +person)).
:- modeb(1, ancestor(+person, +person)).
:- determination(ancestor/2, parent/2).
:- determination(ancestor/2, ancestor/2).
:- begin_bg.
parent(ann, bob).  parent(bob, cid).  parent(cid, dan).  parent(dan, eve).
parent(fay, bob).  parent(gus, cid).
:- end_bg.
:- begin_in_pos.
ancestor(ann, bob).  ancestor(ann, cid).  ancestor(ann, dan).  ancestor(bob, dan).  ancestor(cid, eve).
ancestor(ann, eve).  ancestor(gus, eve).  ancestor(fay, dan).  ancestor(fay, bob).
:- end_in_pos.
:- begin_in_neg.
ancestor(bob, ann).  ancestor(gus, bob).  ancestor(eve, ann).  ancestor(fay, gus).  ancestor(ann, fay).
ancestor(dan, cid).  ancestor(cid, cid).  ancestor(gus, fay).
:- end_in_neg.
