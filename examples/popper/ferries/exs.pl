pos(reach(aros,brae)). pos(reach(aros,colla)). pos(reach(aros,dun)). pos(reach(aros,eday)).
pos(reach(brae,dun)). pos(reach(colla,eday)). pos(reach(eday,brae)). pos(reach(dun,dun)).
neg(reach(brae,aros)). neg(reach(eday,aros)). neg(reach(aros,aros)).
neg(reach(aros,fara)). neg(reach(hoy,brae)).
