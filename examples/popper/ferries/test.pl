pos(reach(fara,gask)). pos(reach(fara,hoy)). pos(reach(fara,iona)). pos(reach(gask,iona)).
neg(reach(gask,fara)). neg(reach(iona,hoy)). neg(reach(fara,aros)).
