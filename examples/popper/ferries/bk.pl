% Ferries go one way, bridges both. Two groups of islands, and a harbour that is closed.
link(X,Y) :- ferry(X,Y).
link(X,Y) :- bridge(X,Y).
link(X,Y) :- bridge(Y,X).

ferry(aros,brae). ferry(brae,colla). ferry(colla,dun). ferry(dun,brae).
bridge(dun,eday).
ferry(fara,gask). ferry(gask,hoy). ferry(hoy,iona).

closed(gask).
