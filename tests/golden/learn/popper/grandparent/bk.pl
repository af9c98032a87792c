father(abe,homer). mother(mona,homer). father(homer,bart). father(homer,lisa).
mother(marge,bart). mother(marge,lisa). mother(jackie,marge). father(clancy,marge).
