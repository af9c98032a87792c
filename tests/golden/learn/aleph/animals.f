class(dog, mammal). class(dolphin, mammal). class(cat, mammal).
class(trout, fish). class(herring, fish). class(eel, fish).
class(eagle, bird). class(hen, bird).
