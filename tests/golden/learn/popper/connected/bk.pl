edge(a,b). edge(b,c). edge(c,d). edge(e,f). edge(f,e).
