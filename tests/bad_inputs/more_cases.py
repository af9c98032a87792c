"""More bad inputs as data: limits, outputs that are inputs, tasks of other systems, resolution, tables, evidence, repl.

A line is as in cases.py.
"""
import gzip

from fixtures import PROGRAM, Link

# ——— limits, the same for every command

COMMANDS = (
    "check program.nm", "convert program.nm --to asp", "ground program.nm", "graph program.nm -o out.dot", "reason program.nm",
    "explain program.nm", "learn clauses task.nm --train train.jsonl", "learn weights task.nm --train train.jsonl",
    "learn probabilities task.nm --train train.jsonl", "generate kandinsky closeby -n 2 -o out", "scene show figures.jsonl",
    "perceive picture.png", "train detector -o w.st", "train slots -o w.st", "train baseline mlp --data pictures -o w.st",
    "train predicates -o w.json", "repl program.nm",
)
LIMITS = [(f"{command} {option}={value}", option)
          for command in COMMANDS
          for option, values in (("--time-limit", ("nan", "-1", "soon", "1e999")), ("--memory-limit", ("0", "-1", "5X", "nan")))
          for value in values]

# ——— outputs that are inputs

POPPER = {"q/bias.pl": "head_pred(f,1).\nbody_pred(g,1).\n", "q/bk.pl": "g(a).\n", "q/exs.pl": "pos(f(a)).\nneg(f(b)).\n"}
ALEPH = {"t.b": ":- modeh(1,f(+x)).\n:- modeb(1,g(+x)).\n:- determination(f/1,g/1).\ng(a).\n", "t.f": "f(a).\n", "t.n": "f(b).\n"}
COINS = {"coins.pl": "t(_)::heads(c).\nquery(heads(c)).\n", "coins.ev": "evidence(heads(c),true).\n"}
LINKED = {"link.nm": Link("program.nm"), "link.pl": Link("q/bk.pl"), "task-link.nm": Link("task.nm")}
WOULD = "would be overwritten"
OUTPUTS = [
    *((f"learn --popper q -q --out q/{name}", WOULD, POPPER) for name in ("bias.pl", "bk.pl", "exs.pl")),
    ("learn --popper q -q --out link.pl", WOULD, {**POPPER, **LINKED}),
    ("learn --popper q -q --test more.pl --out more.pl", WOULD, {**POPPER, "more.pl": POPPER["q/exs.pl"]}),
    *((f"learn --aleph t -q --out t.{ending}", WOULD, ALEPH) for ending in "bfn"),
    ("learn task.nm --train train.jsonl -q --out task.nm", WOULD),
    ("learn task.nm --train train.jsonl -q --out task-link.nm", WOULD, LINKED),
    ("learn task.nm --train train.jsonl -q --out train.jsonl", WOULD),
    ("learn task.nm --train train.jsonl --test examples.jsonl -q --out examples.jsonl", WOULD),
    ("learn task.nm --train train.jsonl -q --report train.jsonl", WOULD),
    ("learn task.nm --train train.jsonl -q --out a.nm --checkpoint train.jsonl", WOULD),
    ("learn weights task.nm --train train.jsonl -q --out task.nm", WOULD),
    ("learn weights task.nm --train train.jsonl -q --out train.jsonl", WOULD),
    ("learn probabilities coins.pl --train coins.ev -q --out coins.pl", WOULD, COINS),
    ("learn probabilities coins.pl --train coins.ev -q --out coins.ev", WOULD, COINS),
    ("convert program.nm --to asp -o program.nm", WOULD),
    ("convert program.nm --to asp -o link.nm", WOULD, LINKED),
    ("graph program.nm --format dot -o program.nm", WOULD),
    ("graph link.nm --format nmg -o program.nm", WOULD, LINKED),
    ("explain program.nm --html program.nm", WOULD),
    ("explain scenes.nm --examples examples.jsonl --html examples.jsonl", WOULD),
    ("explain program.nm --dot program.nm", WOULD),
    ("scene show figures.jsonl -o figures.jsonl", ["figures.jsonl"]),
    ("perceive picture.png --scene picture.png", WOULD),
    ("graph main.nm --format dot -o more.nm", WOULD, {"main.nm": PROGRAM + ":- include('more.nm').\n", "more.nm": "parent(cem, ann).\n"}),
    ("graph main.nm --format dot -o more.csv", WOULD, {"main.nm": PROGRAM + ":- facts(parent/2, 'more.csv').\n", "more.csv": "cem,ann\n"}),
    ("explain main.nm --html more.html", WOULD, {"main.nm": PROGRAM + ":- facts(parent/2, 'more.html').\n", "more.html": "cem,ann\n"}),
]

# ——— tasks of Popper and Aleph


def popper(**files):
    return {**POPPER, **{f"q/{name}.pl": text for name, text in files.items()}}


BIAS = POPPER["q/bias.pl"]
LEARN_POPPER = [("learn --popper q -q", says, popper(**files)) for says, files in (
    (["bk.pl", "expected"], {"bk": "g(b\nq(c).\n"}),
    (["bk.pl", "expected"], {"bk": "g(a)) .\n"}),
    (["bk.pl", "expected"], {"bk": "g(a) :- .\n"}),
    (["bk.pl", "expected"], {"bk": "g(a) :- g(b),, g(c).\n"}),
    (["bk.pl", "expected"], {"bk": "g([a,b).\n"}),
    (["bk.pl", "expected"], {"bk": "g(a) g(b).\n"}),
    (["bk.pl", "closed"], {"bk": "g('a).\n"}),
    (["bk.pl", "binary"], {"bk": b"g(a).\n\0"}),
    (["bk.pl", "UTF-8"], {"bk": b"g(\xff).\n"}),
    (["exs.pl", "expected"], {"exs": "pos(f(a).\n"}),
    (["exs.pl", "expected"], {"exs": "pos f(a).\n"}),
    (["exs.pl", "has variables"], {"exs": "pos(f(X)).\n"}),
    (["exs.pl", "has variables"], {"exs": "pos(f(a)).\nneg(f(g(Y))).\n"}),
    (["exs.pl", "has variables"], {"exs": "pos(f(_)).\n"}),
    (["exs.pl", "no positive example"], {"exs": "neg(f(a)).\n"}),
    (["exs.pl", "no positive example"], {"exs": ""}),
    (["exs.pl", "is no ground atom of f/1"], {"exs": "pos(h(a)).\n"}),
    (["bias.pl", "max_body"], {"bias": BIAS + "max_body(-1).\n"}),
    (["bias.pl", "max_body"], {"bias": BIAS + "max_body(0).\n"}),
    (["bias.pl", "max_body"], {"bias": BIAS + "max_body(1.5).\n"}),
    (["bias.pl", "max_body"], {"bias": BIAS + "max_body(many).\n"}),
    (["bias.pl", "max_vars"], {"bias": BIAS + "max_vars(-3).\n"}),
    (["bias.pl", "max_clauses"], {"bias": BIAS + "max_clauses(0).\n"}),
    (["bias.pl", "head_pred"], {"bias": "head_pred(f,-1).\n"}),
    (["bias.pl", "head_pred"], {"bias": "head_pred(f,a).\n"}),
    (["bias.pl", "head_pred"], {"bias": "body_pred(g,1).\n"}),
    (["bias.pl", "more than"], {"bias": "head_pred(f,100).\n"}),
    (["bias.pl", "expected in or out"], {"bias": BIAS + "direction(g,(sideways,)).\n"}),
    (["bias.pl", "expected"], {"bias": "head_pred(f,1\nbody_pred(g,1).\n"}),
    (["bias.pl"], {"bias": ""}),
)] + [
    ("learn --popper nowhere -q", "nowhere"),
    ("learn --popper folder -q", "bias.pl"),
    ("learn --popper program.nm -q", "program.nm"),
    ("learn --popper q --test nowhere.pl -q", "nowhere.pl", POPPER),
    ("learn --popper q --test bad.pl -q", "bad.pl", {**POPPER, "bad.pl": "pos(f(a).\n"}),
    ("learn --popper q --train train.jsonl", "--train does nothing with --popper", POPPER),
    ("learn --popper q --max-body 3", "--max-body does nothing with --popper", POPPER),
    ("learn --popper q --aleph", "--aleph", POPPER),
]


def aleph(**files):
    return {**ALEPH, **{f"t.{ending}": text for ending, text in files.items()}}


MODES = ALEPH["t.b"]
LEARN_ALEPH = [("learn --aleph t -q", says, aleph(**files)) for says, files in (
    (["t.b", "expected"], {"b": MODES + "g(b\nq(c).\n"}),
    (["t.b", "expected"], {"b": MODES + "g(a)) .\n"}),
    (["t.b", "expected"], {"b": MODES + "g([a).\n"}),
    (["t.f", "expected"], {"f": "f(a\n"}),
    (["t.f", "has variables"], {"f": "f(X).\n"}),
    (["t.n", "has variables"], {"n": "f(Y).\n"}),
    (["t.n", "expected"], {"n": "f(a)) .\n"}),
    (["t.f", "no positive example"], {"f": ""}),
    (["t.f", "no positive example"], {"f": "h(a).\n"}),
    (["t.b"], {"b": ""}),
    (["t.b"], {"b": "g(a).\n"}),
    (["t.b"], {"b": ":- modeb(1,g(+x)).\n:- determination(f/1,g/1).\ng(a).\n"}),
    (["t.b"], {"b": ":- modeh(1,f(+x).\n"}),
    (["t.b", "binary"], {"b": b"\0"}),
    (["t.f", "UTF-8"], {"f": b"f(\xfe).\n"}),
)] + [
    ("learn --aleph nowhere -q", "there is no task of Aleph"),
    ("learn --aleph folder -q", "folder"),
    ("learn --aleph program.nm -q", "program.nm"),
    ("learn --aleph t --train train.jsonl", "--train does nothing with --aleph", ALEPH),
]

# ——— resolution of ProbLog's programs

GROWS = "n(0).\nn(s(X)) :- n(X).\nquery(n(X)).\n"
RESOLUTION = [("reason in.pl", says, {"in.pl": text}) for text, says in (
    (GROWS, ["in.pl:2", "without end"]),
    ("n(X) :- n(s(X)).\nquery(n(a)).\n", ["in.pl:1", "without end"]),
    ("p(L) :- member(a, L).\nquery(p(L)).\n", "in.pl"),
    ("p(X) :- length(L, 10000000000), X = L.\nquery(p(X)).\n", ["in.pl:1", "length makes a list"]),
    ("p(X) :- length(L, N), X = L.\nquery(p(X)).\n", ["in.pl:1", "neither the list nor its length"]),
    ("p(X) :- functor(X, f, 1000000000).\nquery(p(X)).\n", ["in.pl:1", "functor makes a term of 0 to"]),
    ("p(X) :- functor(X, f, -1).\nquery(p(X)).\n", ["in.pl:1", "functor makes a term of 0 to"]),
    ("p(X) :- functor(X, F, 2).\nquery(p(X)).\n", ["in.pl:1", "name and arity"]),
    ("p(X) :- functor(X, f, N).\nquery(p(X)).\n", ["in.pl:1", "name and arity"]),
    ("p(X) :- functor(X, 3, 2).\nquery(p(X)).\n", ["in.pl:1", "not the name of a term"]),
    ("p(X) :- between(1, 100000000, X).\nquery(p(X)).\n", ["in.pl:1", "between gives more than"]),
    ("p(X) :- between(-9223372036854775807, 9223372036854775807, X).\nquery(p(X)).\n", ["in.pl:1", "between gives more than"]),
    ("p(X) :- succ(9223372036854775807, X).\nquery(p(X)).\n", ["in.pl:1", "too large"]),
    ("p(X) :- plus(9223372036854775807, 1, X).\nquery(p(X)).\n", ["in.pl:1", "too large"]),
    ("p(X) :- X is 9223372036854775807 + 1.\nquery(p(X)).\n", ["in.pl:1", "too large"]),
    ("p(X) :- X is 10.0 ** 400.\nquery(p(X)).\n", ["in.pl:1", "finite"]),
    ("p(X) :- X is floor(1.0e300).\nquery(p(X)).\n", ["in.pl:1", "too large for an integer"]),
    ("p(X) :- X is 1 / 0.\nquery(p(X)).\n", ["in.pl:1", "zero"]),
    ("p(X) :- X is 1 mod 0.\nquery(p(X)).\n", ["in.pl:1", "zero"]),
    ("p(X) :- X is 1.5 mod 2.\nquery(p(X)).\n", ["in.pl:1", "integers"]),
    ("p(X) :- X is sqrt(-1).\nquery(p(X)).\n", ["in.pl:1", "finite"]),
    ("p(X) :- X is a + 1.\nquery(p(X)).\n", ["in.pl:1", "not a number"]),
    ("p(X) :- X is Y + 1.\nquery(p(X)).\n", ["in.pl:1", "no value yet"]),
    ("p(X) :- X is magic(3).\nquery(p(X)).\n", ["in.pl:1", "there is no function 'magic/1'"]),
    ("p(X) :- X = a, Y.\nquery(p(X)).\n", ["in.pl:1", "called as a goal"]),
    ("p(X) :- X = a, 3.\nquery(p(X)).\n", ["in.pl:1", "3 is not a goal"]),
    ("p(a).\nquery(3).\n", ["in.pl:2", "3 is not a goal"]),
    ("p(a).\nquery(X).\n", ["in.pl:2", "goal"]),
    ("p(a).\nevidence(3, true).\nquery(p(a)).\n", ["in.pl:2", "3 is not a goal"]),
    ("p(a).\nevidence(p(a), perhaps).\nquery(p(a)).\n", ["in.pl:2", "true or false"]),
    ("p(a).\nevidence(p(a), false).\nquery(p(a)).\n", ["in.pl:2", "cannot be true"]),
    ("p(a).\nevidence(p(b)).\nquery(p(a)).\n", ["in.pl:2", "cannot be true"]),
    ("p(a) :- q(a).\nquery(p(a)).\n", ["in.pl:1", "unknown predicate 'q/1'"]),
    ("0.5::p(X).\nquery(p(X)).\n", ["in.pl:1", "before its variables are known"]),
    ("1.5::p(a).\nquery(p(a)).\n", "in.pl:1"),
    ("X::p(a) :- X = 1.5.\nquery(p(a)).\n", ["in.pl:1", "not between 0 and 1"]),
    ("X::p(a) :- X = high.\nquery(p(a)).\n", "in.pl:1"),
    ("0.6::p(a) ; 0.7::p(b).\nquery(p(X)).\n", ["in.pl:1", "sum up to 1.3"]),
    ("0.6::p(a) ; p(b).\nquery(p(X)).\n", ["in.pl:1", "needs a weight"]),
    ("t(_)::p(a).\nquery(p(a)).\n", ["in.pl:1", "no value"]),
    ("a + b.\nquery(p(a)).\n", ["in.pl:1", "head of a clause"]),
    ("p(a) :- !.\nquery(p(a)).\n", ["in.pl:1", "the cut"]),
    ("p(a) :- a -> b.\nquery(p(a)).\n", "in.pl:1"),
    ("p(a\nquery(p(a)).\n", "expected"),
    ("p(a)) .\nquery(p(a)).\n", ["in.pl:1", "expected"]),
    ("p(a) q(b).\nquery(p(a)).\n", ["in.pl:1", "expected"]),
    ("p('a).\nquery(p(a)).\n", "closed"),
    ("p([a|b|c]).\nquery(p(a)).\n", ["in.pl:1", "expected"]),
    (":- use_module(library(magic)).\np(a).\nquery(p(a)).\n", ["in.pl:1", "there is no library"]),
    (":- consult('other.pl').\np(a).\nquery(p(a)).\n", "in.pl:1"),
    (":- magic.\np(a).\nquery(p(a)).\n", ["in.pl:1", "unknown directive"]),
    ("p(X) :- findall(Y, p(Y), X).\nquery(p(X)).\n", ["in.pl:1", "depends on itself"]),
    ("p(X) :- sort(Y, X).\nquery(p(X)).\n", ["in.pl:1", "list whose end is known"]),
    ("p(X) :- X =.. [].\nquery(p(X)).\n", ["in.pl:1", "=.. needs a name"]),
    ("p(X) :- X =.. Y.\nquery(p(X)).\n", ["in.pl:1", "list whose end is known"]),
    ("p(X) :- call(3), X = a.\nquery(p(X)).\n", ["in.pl:1", "needs a goal"]),
    ("p(X) :- X is " + "+".join(["1"] * 50_000) + ".\nquery(p(X)).\n", ["in.pl:1", "nested too deep"]),
    ("p(" + "f(" * 5000 + "a" + ")" * 5000 + ").\nquery(p(_)).\n", ["in.pl:1", "nested too deep"]),
)] + [
    ("reason in.pl --query 'p('", "--query", {"in.pl": "p(a).\n"}),
    ("reason in.pl --query 3", "goal", {"in.pl": "p(a).\n"}),
    ("reason in.pl --query 'q(X)'", "in.pl", {"in.pl": "p(a) :- r.\n"}),
    ("reason nowhere.pl", "no such file"),
    ("check in.pl", ["in.pl:1", "expected"], {"in.pl": "p(a :- b.\n"}),
    ("ground in.pl", ["in.pl:2", "without end"], {"in.pl": GROWS}),
    ("graph in.pl -o out.nmg", ["in.pl:2", "without end"], {"in.pl": GROWS}),
    ("explain in.pl", ["in.pl:2", "without end"], {"in.pl": GROWS}),
]

# ——— tables

SHIPS = ":- facts(ship/3, 'ships.csv').\n:- query(ship(X, Y, Z)).\n"
CHANCES = ":- facts(ship/2, 'ships.csv', [probability(3)]).\n:- query(ship(X, Y)).\n"


def table(text, program=SHIPS):
    return {"t.nm": program, "ships.csv": text}


TABLES = [("reason t.nm", says, files) for says, files in (
    (["ships.csv:1:6", "seems to name the columns", "[header]"], table("name,days,from\na,3,x\nb,4,y\nc,5,z\n")),
    (["ships.csv:1", "seems to name the columns"], table("name,from,days\na,x,3.5\nb,y,4\n")),
    (["ships.csv:1", "seems to name the columns"], table("n,d,c\n1,2,3\n4,5,6\n")),
    (["ships.csv:2", "2 fields"], table("a,1,x\nb,2\n")),
    (["ships.csv:1", "4 fields"], table("a,1,x,y\n")),
    (["ships.csv:1", "never closed"], table('"a,1,x\n')),
    (["ships.csv:1", "behind a quoted field"], table('"a"b,1,x\n')),
    (["ships.csv", "binary"], table(b"a,1,x\n\0\n")),
    (["ships.csv", "UTF-8"], table(b"a,1,\xff\n")),
    (["no such file"], {"t.nm": SHIPS}),
    (["t.nm:1", "folder"], {"t.nm": ":- facts(p/1, 'folder').\n:- query(p(X)).\n"}),
    (["/dev/zero", "binary"], {"t.nm": ":- facts(p/1, '/dev/zero').\n:- query(p(X)).\n"}),
    (["t.nm:1", "too long"], {"t.nm": ":- facts(p/1, '" + "x" * 100_000 + "').\n:- query(p(X)).\n"}),
    (["line is longer"], table("a,1," + "x" * 2_000_000 + "\n")),
    (["ships.csv:1", "not a probability"], table("a,b,high\n", CHANCES)),
    (["ships.csv:2", "not a probability"], table("a,b,0.5\nc,d,1.5\n", CHANCES)),
    (["ships.csv:1", "not a probability"], table("a,b,-0.1\n", CHANCES)),
    (["ships.csv:1", "not a probability"], table("a,b,\n", CHANCES)),
    (["ships.csv:1", "not a probability"], table("a,b,nan\n", CHANCES)),
    (["no column 'day'", "days"], table("name,days,from\na,3,x\n", ":- facts(ship/1, 'ships.csv', [columns([day])]).\n:- query(ship(X)).\n")),
    (["3 columns for the 2 arguments"], table("a,b,c\n", ":- facts(ship/2, 'ships.csv', [columns([1,2,3])]).\n:- query(ship(X,Y)).\n")),
    (["not an option of a table"], table("a,b,c\n", ":- facts(ship/3, 'ships.csv', [magic]).\n:- query(ship(X,Y,Z)).\n")),
    (["expected a list of options"], table("a,b,c\n", ":- facts(ship/3, 'ships.csv', header).\n:- query(ship(X,Y,Z)).\n")),
    (["without a header"], table("", ":- facts(ship/3, 'ships.csv', [header]).\n:- query(ship(X,Y,Z)).\n")),
    (["unknown constant 'red'"], table("red\n", ":- type(c, [green, blue]).\n:- pred(p(c)).\n:- facts(p/1, 'ships.csv').\n:- query(p(X)).\n")),
    (["cannot unpack"], {"t.nm": ":- facts(p/1, 'bad.csv.gz').\n:- query(p(X)).\n", "bad.csv.gz": gzip.compress(b"a\n" * 10000)[:40]}),
)] + [
    ("reason bomb.nm --memory-limit 30M", "memory limit", {"bomb.nm": ":- facts(p/1, 'bomb.csv.gz').\n:- query(p(X)).\n", "bomb.csv.gz": gzip.compress(b"aaaaaaa\n" * 12_000_000, 1)}),
    ("reason program.nm --table 'parent/2, nowhere.csv'", "nowhere.csv"),
    ("reason program.nm --table 'parent/2'", "--table"),
    ("reason program.nm --table ''", "--table"),
]

# ——— evidence, probabilities that exclude each other

EVIDENCE = [("learn probabilities coins.pl --train bad.ev -q", says, {**COINS, "bad.ev": text}) for says, text in (
    (["bad.ev:1"], "evidence(heads(c),maybe).\n"),
    (["bad.ev:1"], "evidence(heads(c)\n"),
    (["bad.ev:1"], "heads(c).\n"),
    (["bad.ev:1"], "evidence(tails(c),true).\n"),
    (["bad.ev:3"], "evidence(heads(c),true).\n---\nevidence(heads(,true).\n"),
    (["bad.ev:1"], "evidence(X,true).\n"),
    (["bad.ev"], ""),
    (["bad.ev", "binary"], b"\0evidence(heads(c),true).\n"),
    (["bad.ev", "UTF-8"], b"evidence(heads(\xff),true).\n"),
    (["bad.ev:1"], "0.5::evidence(heads(c),true).\n"),
    (["bad.ev"], "evidence(heads(c),true).\nevidence(heads(c),false).\n"),
)] + [
    ("learn probabilities coins.pl --train nowhere.ev", "nowhere.ev", COINS),
    ("learn probabilities coins.pl", "--train", COINS),
    ("learn probabilities program.nm --train examples.jsonl", "program.nm"),
]
DIGITS = ":- type(d, 0..9).\n:- neural(digit(d)).\n:- exclusive(digit/1, 1).\n:- pred(low).\n:- query(low).\nlow :- digit(0).\nlow :- digit(1).\n"
EXCLUSIVE = [(f"reason digits.nm --semantics {semantics} --examples bad.jsonl",
              ["bad.jsonl:2", "digit", "exclude each other", "1.8"],
              {"digits.nm": DIGITS, "bad.jsonl": '{"atoms": {"digit(0)": 0.5}}\n{"atoms": {"digit(0)": 0.9, "digit(1)": 0.9}}\n'})
             for semantics in ("exact", "topk", "sample")]

# ——— options that contradict each other or do nothing

CONTRADICTIONS = [
    ("learn task.nm --train train.jsonl --images pictures", "--images"),
    ("perceive picture.png --cache /proc/nowhere", "/proc"),
    ("perceive picture.png --cache /proc/nowhere/deep", "/proc"),
    ("reason scenes.nm --images picture.png --cache /proc/nowhere", "/proc"),
    ("explain program.nm --html /proc/nowhere/a.html", "/proc/nowhere"),
    ("graph program.nm -o /proc/nowhere.nmg", "/proc/nowhere"),
    ("learn task.nm --train train.jsonl -q --out /proc/nowhere/a.nm", "/proc/nowhere"),
    ("generate kandinsky closeby -n 2 -o /proc/nowhere", "/proc"),
]

# ——— the conversation, through a pipe

REPL = [(b"p(a)\n.\nq(X)?\n", "unknown predicate"), (b"p(a) q(b).\n", "expected"), (b":foo\n", "there is no command :foo"),
        (b":explain\n", "write :explain ATOM"), (b":semantics magic\n", "there is no semantics"), (b":load nowhere.nm\n", "cannot read"),
        (b":list all\n", ":list takes nothing"), (b"p(\xff).\n", "not UTF-8"), (b"p('a\xff').\n", "not UTF-8"),
        (b"p(a", "no full stop"), (b"p(a).\np(X, Y)?\n", "p"), (b":- facts(p/1, '/dev/zero').\n", "binary"),
        (b":- facts(p/1, 'nowhere.csv').\n", "no such file"), (b":- include('nowhere.nm').\n", "no such file"),
        (b"p(X) :- q(X).\n", "unknown predicate"), (b"p(" + b"f(" * 20000 + b"a" + b")" * 20000 + b").\n", "deep"),
        (b"p(a).\np(" + b"f(" * 20000 + b"a" + b")" * 20000 + b")?\n", "deep"), (b":save /proc/nowhere/a.nm\np(a).\n", "cannot create"),
        (b"1.5::p(a).\n", "weight"), (b"?- .\n", "expected")]

# ——— answer set programs

ASP = [("convert in.lp --to neumann", says, {"in.lp": text}) for text, says in (
    ("p(a\n", "in.lp:1"), ("p(a)) .\n", "in.lp:1"), ("p(a) q(b).\n", "in.lp:1"),
    (":- p(X), not q(X)\n", "in.lp"), ("p(1..).\n", "in.lp:1"), ("#show p/1\n", "in.lp"), ("#magic p.\n", "in.lp:1"),
    ("p(X) :- X = #count{Y.\n", "in.lp:1"), ("{p(a) ; p(b)\n", "in.lp"), ("p(\"a).\n", "in.lp:1"), ("p(X) :- q(X,).\n", "in.lp:1"),
    ("p(a) | .\n", "in.lp:1"), ("p(" + "f(" * 5000 + "a" + ")" * 5000 + ").\n", "in.lp:1"), ("p(1+" + "1+" * 50000 + "1).\n", "in.lp:1"),
    ("", "in.lp"),
)]


def more_cases(table_of, case):
    """All of them; `table_of` and `case` are those of cases.py."""
    groups = (("limit", LIMITS), ("output", OUTPUTS), ("popper", LEARN_POPPER), ("aleph", LEARN_ALEPH), ("resolution", RESOLUTION),
              ("table", TABLES), ("evidence", EVIDENCE), ("exclusive", EXCLUSIVE), ("contradiction", CONTRADICTIONS), ("asp", ASP))
    found = [one for name, rows in groups for one in table_of(name, rows)]
    return found + [case(f"repl-{number + 1}", "repl", [says], stdin=said) for number, (said, says) in enumerate(REPL)]
