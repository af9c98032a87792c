0.5::a. 0.5::b. evidence(\+a). evidence(a). query(a). query(b).
