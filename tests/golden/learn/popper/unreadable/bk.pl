red(a).
