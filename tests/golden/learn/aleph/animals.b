:- modeh(1, class(+animal, #class)).
:- modeb(1, covering(+animal, #covering)).
:- modeb(1, gives_milk(+animal)).
:- determination(class/2, covering/2).
:- determination(class/2, gives_milk/1).
covering(dog, hair). covering(dolphin, none). covering(trout, scales). covering(herring, scales). covering(eagle, feathers).
covering(hen, feathers). covering(cat, hair). covering(eel, scales).
gives_milk(dog). gives_milk(dolphin). gives_milk(cat).
