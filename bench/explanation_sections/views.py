"""What is seen of an example, more or less surely, and what it looks like when one thing in it is seen wrong."""
import itertools
import math
from dataclasses import dataclass, field

from explanation_sections.truth import VALUES, terms_of

BEHIND = 2.5  # how far a runner-up is behind, in logits


@dataclass
class Choice:
    """Values of which one is true, with a logit each. A value is the text of an atom, or None: no atom says so."""
    true: str
    logits: dict
    noise: float = 0  # of a flip
    twins: dict = field(default_factory=dict)  # atoms that are as probable as another

    def probabilities(self, crisp=False):
        if crisp:
            best = max(self.logits, key=self.logits.get)
            found = {atom: float(atom == best) for atom in self.logits}
        else:
            odds = {atom: math.exp(logit) for atom, logit in self.logits.items()}
            found = {atom: one / sum(odds.values()) for atom, one in odds.items()}
        found |= {twin: found[atom] for twin, atom in self.twins.items()}
        return {atom: round(value, 6) for atom, value in found.items() if atom}

    def flipped(self, wrong, kind, pair=None):
        """With the truth taken for something else. pair: the probabilities of both."""
        logits = dict(self.logits)
        if kind.endswith("close call"):
            pair = (0.40, 0.55)
        if pair:
            rest = [atom for atom in logits if atom not in (self.true, wrong)]
            logits = {atom: math.log(max(1 - sum(pair), 1e-6) / len(rest)) for atom in rest}
            logits |= {self.true: math.log(max(pair[0], 1e-9)), wrong: math.log(pair[1])}
        else:
            logits[self.true], logits[wrong] = logits[wrong], logits[self.true]
            if kind.endswith("runner-up"):
                logits[self.true] = logits[wrong] - BEHIND + self.noise
        return Choice(self.true, logits, twins=self.twins)


@dataclass
class View:
    """What is seen of an example of which an atom is true."""
    id: str
    atom: str
    choices: list

    def example(self, number, kind=None, flip=None):
        """With one choice flipped; kind None: none."""
        atoms = {}
        for c, choice in enumerate(self.choices):
            one = choice.flipped(flip.wrong, kind, flip.pair) if kind and c == flip.choice else choice
            atoms |= one.probabilities(kind == "crisp")
        return {"id": number, "atoms": {atom: value for atom, value in atoms.items() if value > 0}}


@dataclass
class Flip:
    view: View
    choice: int
    wrong: str
    pair: tuple = None
    repairs: list = field(default_factory=list)  # choice, value: what else would make the answer true when all is crisp

    def truth(self):
        return self.view.choices[self.choice].true

    def ideal(self, kind):
        """What a reader would blame who knows that one choice is wrong: of all that would help, the least improbable."""
        def nearness(repair):
            c, value = repair
            choice = self.view.choices[c]
            logits = (choice.flipped(self.wrong, kind, self.pair) if c == self.choice else choice).logits
            return logits[value] - max(logits.values())
        return max(self.repairs, key=nearness)


def choices_of(example, world, sureness, rng):
    """A noisy view of a crisp example: what a network with these logits would see."""
    margin, scale = sureness
    def choose(true, others):
        logits = {true: margin + rng.gauss(0, scale), **{other: rng.gauss(0, scale) for other in others}}
        return Choice(true, logits, rng.gauss(0, 1))

    given = set(example["atoms"])
    objects = sorted({term for atom in given for term in terms_of(atom)[1] if term.startswith("obj")})
    choices = []
    for atom in sorted(given):
        name, terms = terms_of(atom)
        if name in VALUES[world]:
            rest = [value for value in VALUES[world][name] if value != terms[1]]
            choices.append(choose(atom, [f"{name}({terms[0]},{value})" for value in rest]))
        elif name == "in":
            choices.append(choose(atom, [None]))
        elif name == "left_of":
            choices.append(choose(atom, [f"left_of({terms[1]},{terms[0]})"]))
        elif name.startswith("query"):
            choices.append(Choice(atom, {atom: 0}))
    if world == "figure":
        for a, b in itertools.combinations(objects, 2):
            close, twin = f"closeby({a},{b})", f"closeby({b},{a})"
            one = choose(close, [None]) if close in given else choose(None, [close])
            one.twins[twin] = close
            choices.append(one)
    return choices
