#include "resolution/library.h"

#include <set>
#include <string>
#include <string_view>

#include "resolution/rule_reader.h"

namespace neumann::resolution {
namespace {

constexpr std::string_view text = R"prolog(
member(X, [X|_]).
member(X, [_|T]) :- member(X, T).
memberchk(X, L) :- member(X, L).
append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
append(Ls, L) :- 'append all'(Ls, L).
'append all'([], []).
'append all'([L|Ls], All) :- append(L, Rest, All), 'append all'(Ls, Rest).
reverse(L, R) :- 'reverse onto'(L, [], R).
'reverse onto'([], R, R).
'reverse onto'([H|T], Done, R) :- 'reverse onto'(T, [H|Done], R).
select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
subtract([], _, []).
subtract([H|T], L, R) :- member(H, L), subtract(T, L, R).
subtract([H|T], L, [H|R]) :- \+ member(H, L), subtract(T, L, R).
delete([], _, []).
delete([H|T], X, R) :- H = X, delete(T, X, R).
delete([H|T], X, [H|R]) :- H \= X, delete(T, X, R).
exclude(_, [], []).
exclude(P, [H|T], R) :- call(P, H), exclude(P, T, R).
exclude(P, [H|T], [H|R]) :- \+ call(P, H), exclude(P, T, R).
include(_, [], []).
include(P, [H|T], [H|R]) :- call(P, H), include(P, T, R).
include(P, [H|T], R) :- \+ call(P, H), include(P, T, R).
permutation([], []).
permutation(L, [H|P]) :- select(H, L, R), permutation(R, P).
last([X], X).
last([_,Y|T], X) :- last([Y|T], X).
nth0(N, L, X) :- 'nth of'(L, 0, N, X).
nth1(N, L, X) :- 'nth of'(L, 1, N, X).
'nth of'([X|_], N, N, X).
'nth of'([_|T], I, N, X) :- J is I + 1, 'nth of'(T, J, N, X).
sum_list(L, S) :- 'sum onto'(L, 0, S).
sumlist(L, S) :- 'sum onto'(L, 0, S).
'sum onto'([], S, S).
'sum onto'([H|T], Done, S) :- Next is Done + H, 'sum onto'(T, Next, S).
max_list([H|T], M) :- 'max onto'(T, H, M).
'max onto'([], M, M).
'max onto'([H|T], Done, M) :- Next is max(Done, H), 'max onto'(T, Next, M).
min_list([H|T], M) :- 'min onto'(T, H, M).
'min onto'([], M, M).
'min onto'([H|T], Done, M) :- Next is min(Done, H), 'min onto'(T, Next, M).
list_to_set(L, S) :- 'set onto'(L, [], S).
'set onto'([], _, []).
'set onto'([H|T], Seen, S) :- member(H, Seen), 'set onto'(T, Seen, S).
'set onto'([H|T], Seen, [H|S]) :- \+ member(H, Seen), 'set onto'(T, [H|Seen], S).
numlist(L, H, []) :- L > H.
numlist(L, H, [L|T]) :- L =< H, N is L + 1, numlist(N, H, T).
maplist(_, []).
maplist(P, [A|As]) :- call(P, A), maplist(P, As).
maplist(_, [], []).
maplist(P, [A|As], [B|Bs]) :- call(P, A, B), maplist(P, As, Bs).
maplist(_, [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs]) :- call(P, A, B, C), maplist(P, As, Bs, Cs).
maplist(_, [], [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs], [D|Ds]) :- call(P, A, B, C, D), maplist(P, As, Bs, Cs, Ds).
foldl(_, [], S, S).
foldl(P, [H|T], S, R) :- call(P, H, S, Next), foldl(P, T, Next, R).
foldl(_, [], [], S, S).
foldl(P, [A|As], [B|Bs], S, R) :- call(P, A, B, S, Next), foldl(P, As, Bs, Next, R).
scanl(P, L, S, [S|R]) :- 'scan on'(L, P, S, R).
'scan on'([], _, _, []).
'scan on'([H|T], P, S, [Next|R]) :- call(P, H, S, Next), 'scan on'(T, P, Next, R).
apply(P, Args) :- P =.. Parts, append(Parts, Args, All), Goal =.. All, call(Goal).
aggregate_all(count, G, N) :- 'fold all'(count, G, G, N).
aggregate_all(sum(E), G, S) :- 'fold all'(sum, E, G, S).
aggregate_all(max(E), G, M) :- 'fold all'(max, E, G, M).
aggregate_all(min(E), G, M) :- 'fold all'(min, E, G, M).
aggregate(F, V, K, G, (K, R)) :- 'groups of'(K, G), 'aggregate of'(F, V, G, R).
'aggregate of'(F, V, G, R) :- 'folded by'(F), 'fold any'(F, V, G, R).
'aggregate of'(F, V, G, R) :- \+ 'folded by'(F), all(V, G, L), call(F, L, R).
'folded by'(count).
'folded by'(sum).
'folded by'(min).
'folded by'(max).
'folded by'(avg).
'=>'(G, S) :- S = K / A, 'collect as'(G, K, A).
'=>'(G, S) :- S \= _ / _, 'collect as'(G, null, S).
'collect as'(G, K, A) :- A =.. [F|Args], atom_concat(collect_, F, P), Goal =.. [P,G,K|Args], call(Goal).
collect_count(G, K, V, R) :- aggregate(count, V, K, G, (K, R)).
collect_sum(G, K, V, R) :- aggregate(sum, V, K, G, (K, R)).
collect_min(G, K, V, R) :- aggregate(min, V, K, G, (K, R)).
collect_max(G, K, V, R) :- aggregate(max, V, K, G, (K, R)).
collect_avg(G, K, V, R) :- aggregate(avg, V, K, G, (K, R)).
'cut by'(_, [I|_], F, Args, I) :- G =.. [F,I|Args], call(G).
'cut by'(Call, [I|Is], F, Args, J) :- G =.. [F,I|Args], \+ call(G), 'cut by'(Call, Is, F, Args, J).
prefix([], _).
prefix([H|T], [H|R]) :- prefix(T, R).
selectchk(X, L, R) :- select(X, L, R).
select(X, Xs, Y, Ys) :- 'replace one'(Xs, X, Y, Ys).
'replace one'([X|T], X, Y, [Y|T]).
'replace one'([H|T], X, Y, [H|R]) :- 'replace one'(T, X, Y, R).
nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|T]) :- nextto(X, Y, T).
nth0(N, L, X, R) :- 'nth without'(L, 0, N, X, R).
nth1(N, L, X, R) :- 'nth without'(L, 1, N, X, R).
'nth without'([X|T], N, N, X, T).
'nth without'([H|T], I, N, X, [H|R]) :- J is I + 1, 'nth without'(T, J, N, X, R).
proper_length(L, N) :- is_list(L), length(L, N).
same_length([], []).
same_length([_|T], [_|R]) :- same_length(T, R).
flatten(L, F) :- 'flatten onto'(L, [], F).
'flatten onto'(X, R, [X|R]) :- var(X).
'flatten onto'([], R, R).
'flatten onto'(X, R, F) :- nonvar(X), X = [H|T], 'flatten onto'(T, R, Rest), 'flatten onto'(H, Rest, F).
'flatten onto'(X, R, [X|R]) :- nonvar(X), X \= [_|_], X \= [].
max_member(M, L) :- msort(L, S), last(S, M).
min_member(M, L) :- msort(L, [M|_]).
is_set(L) :- is_list(L), sort(L, S), length(L, N), length(S, N).
intersection([], _, []).
intersection([H|T], L, R) :- member(H, L), R = [H|S], intersection(T, L, S).
intersection([H|T], L, R) :- \+ member(H, L), intersection(T, L, R).
union([], L, L).
union([H|T], L, R) :- member(H, L), union(T, L, R).
union([H|T], L, [H|R]) :- \+ member(H, L), union(T, L, R).
subset([], _).
subset([H|T], L) :- member(H, L), subset(T, L).
unzip([], [], []).
unzip([P|Ps], [A|As], [B|Bs]) :- P = (A, B), unzip(Ps, As, Bs).
zip([], [], []).
zip([A|As], [B|Bs], [P|Ps]) :- P = (A, B), zip(As, Bs, Ps).
make_list(0, _, []).
make_list(N, X, [X|T]) :- N > 0, M is N - 1, make_list(M, X, T).
partition(_, [], [], []).
partition(P, [H|T], [H|I], O) :- call(P, H), partition(P, T, I, O).
partition(P, [H|T], I, [H|O]) :- \+ call(P, H), partition(P, T, I, O).
convlist(_, [], []).
convlist(P, [H|T], [X|R]) :- call(P, H, X), convlist(P, T, R).
convlist(P, [H|T], R) :- \+ call(P, H, _), convlist(P, T, R).
select_uniform(Id, L, X, Rest) :- length(L, N), N > 0, 'select one'(Id, N, L, X, Rest).
'select one'(Id, N, [X|T], X, T) :- 'this one'(Id, N, [X|T]).
'select one'(Id, N, [H|T], X, [H|R]) :- \+ 'this one'(Id, N, [H|T]), M is N - 1, 'select one'(Id, M, T, X, R).
P::'this one'(_, N, _) :- P is 1 / N.
select_weighted(Id, Ws, Vs, X, Rest) :- sum_list(Ws, S), 'select by weight'(Id, S, Ws, Vs, X, Rest).
'select by weight'(Id, S, [W|Ws], [X|Vs], X, Vs) :- 'this weight'(Id, S, W, [W|Ws]).
'select by weight'(Id, S, [W|Ws], [V|Vs], X, [V|R]) :-
    \+ 'this weight'(Id, S, W, [W|Ws]), Left is S - W, Ws = [_|_], 'select by weight'(Id, Left, Ws, Vs, X, R).
P::'this weight'(_, S, W, L) :- length(L, N), N > 1, P is min(1, W / S).
'this weight'(_, _, _, [_]).
)prolog";

// For depth-first resolution alone.
constexpr std::string_view prolog_text = R"prolog(
memberchk(X, L) :- member(X, L), !.
bagof(T, G, L) :- 'free variables'(T, G, Goal, Vars), 'bag of'(Vars, T, Goal, L).
'bag of'([], T, G, L) :- !, findall(T, G, L), L = [_|_].
'bag of'(Vars, T, G, L) :- findall(Vars-T, G, All), keysort(All, Sorted), 'groups of'(Sorted, Groups), member(Vars-L, Groups).
setof(T, G, S) :- bagof(T, G, L), sort(L, S).
'groups of'([], []).
'groups of'([K-V|T], [K-[V|Vs]|Groups]) :- 'group of'(T, K, Vs, Rest), 'groups of'(Rest, Groups).
'group of'([J-V|T], K, [V|Vs], Rest) :- J == K, !, 'group of'(T, K, Vs, Rest).
'group of'(Rest, _, [], Rest).
keysort(L, S) :- sort(1, '@=<', L, S).
flatten(L, F) :- 'flat onto'(L, [], All), !, F = All.
'flat onto'(X, T, [X|T]) :- var(X), !.
'flat onto'([], T, T) :- !.
'flat onto'([H|R], T, F) :- !, 'flat onto'(H, G, F), 'flat onto'(R, T, G).
'flat onto'(X, T, [X|T]).
selectchk(X, L, R) :- select(X, L, R), !.
select(X, [X|T], Y, [Y|T]).
select(X, [H|T], Y, [H|R]) :- select(X, T, Y, R).
intersection([], _, []).
intersection([H|T], L, [H|R]) :- memberchk(H, L), !, intersection(T, L, R).
intersection([_|T], L, R) :- intersection(T, L, R).
union([], L, L).
union([H|T], L, R) :- memberchk(H, L), !, union(T, L, R).
union([H|T], L, [H|R]) :- union(T, L, R).
subset(A, B) :- \+ (member(X, A), \+ memberchk(X, B)).
is_set(L) :- is_list(L), length(L, N), sort(L, S), length(S, N).
list_to_ord_set(L, S) :- sort(L, S).
ord_union(A, B, C) :- append(A, B, L), sort(L, C).
ord_subtract(A, B, C) :- subtract(A, B, C).
ord_memberchk(X, L) :- memberchk(X, L).
ord_subset(A, B) :- subset(A, B).
partition(_, [], [], []).
partition(P, [H|T], I, E) :- ( call(P, H) -> I = [H|J], E = F ; I = J, E = [H|F] ), partition(P, T, J, F).
predsort(P, L, S) :- 'insert all'(L, P, [], S).
'insert all'([], _, S, S).
'insert all'([H|T], P, Done, S) :- 'insert by'(Done, P, H, Next), 'insert all'(T, P, Next, S).
'insert by'([], _, X, [X]).
'insert by'([H|T], P, X, L) :- call(P, O, X, H), 'insert at'(O, P, X, H, T, L).
'insert at'('<', _, X, H, T, [X,H|T]).
'insert at'('=', _, _, H, T, [H|T]).
'insert at'('>', P, X, H, T, [H|R]) :- 'insert by'(T, P, X, R).
maplist(_, [], [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs], [D|Ds]) :- call(P, A, B, C, D), maplist(P, As, Bs, Cs, Ds).
foldl(_, [], [], S, S).
foldl(P, [A|As], [B|Bs], S, R) :- call(P, A, B, S, N), foldl(P, As, Bs, N, R).
nth0(N, L, X, R) :- 'nth and rest'(L, 0, N, X, R).
nth1(N, L, X, R) :- 'nth and rest'(L, 1, N, X, R).
'nth and rest'([X|T], N, N, X, T).
'nth and rest'([H|T], I, N, X, [H|R]) :- J is I + 1, 'nth and rest'(T, J, N, X, R).
max_member(M, L) :- msort(L, S), last(S, M).
min_member(M, L) :- msort(L, [M|_]).
pairs_keys_values([], [], []).
pairs_keys_values([K-V|T], [K|Ks], [V|Vs]) :- pairs_keys_values(T, Ks, Vs).
pairs_keys(P, K) :- pairs_keys_values(P, K, _).
pairs_values(P, V) :- pairs_keys_values(P, _, V).
aggregate_all(count, G, N) :- findall(G, G, L), length(L, N).
aggregate_all(sum(E), G, S) :- findall(E, G, L), sum_list(L, S).
aggregate_all(max(E), G, M) :- findall(E, G, L), max_list(L, M).
aggregate_all(min(E), G, M) :- findall(E, G, L), min_list(L, M).
aggregate_all(bag(E), G, L) :- findall(E, G, L).
aggregate_all(set(E), G, S) :- findall(E, G, L), sort(L, S).
findall(T, G, L, Rest) :- findall(T, G, F), append(F, Rest, L).
concat_atom(L, A) :- atomic_list_concat(L, A).
concat_atom(L, S, A) :- atomic_list_concat(L, S, A).
prefix(P, L) :- append(P, _, L).
writeln(_).
tab(_).
write_canonical(_).
garbage_collect.
)prolog";

// Of library(scope): conjunctions and alternatives within a scope, unions of scopes, and what stands outside of scopes.
constexpr std::string_view scopes = R"prolog(
S:G :- nonvar(G), G = (A, B), S:A, S:B.
S:G :- nonvar(G), G = (A ; B), 'either of'(S:A, S:B).
'either of'(A, _) :- call(A).
'either of'(_, B) :- call(B).
S:G :- nonvar(S), S = [_|_], nonvar(G), 'plain goal'(G), member(One, S), One:G.
S:G :- \+ 'is union'(S), nonvar(G), 'plain goal'(G), try_call(G).
'is union'(S) :- nonvar(S), S = [_|_].
'plain goal'(G) :- G \= (_, _), G \= (_ ; _), G \= _:_.
)prolog";

// The program's own predicates replace those of the same name; `additional` rules are added to them.
void add_rules_of(std::string_view source, std::string_view additional, RuleLanguage language, Rules& rules) {
    SourceSet sources;
    Diagnostics none;
    Rules library;
    library.terms = std::move(rules.terms);
    read_rules(sources, sources.add("library", std::string(source)), library, none, language);
    const std::size_t overridden = library.rules.size();
    if (!additional.empty())
        read_rules(sources, sources.add("additional", std::string(additional)), library, none, language);
    rules.terms = std::move(library.terms);
    const std::set<Indicator> own = [&] {
        std::set<Indicator> defined = rules.declared;
        for (const auto& [indicator, places] : rules.by_head) defined.insert(indicator);
        return defined;
    }();
    for (std::size_t r = 0; r < library.rules.size(); ++r) {
        Rule& rule = library.rules[r];
        if (r < overridden && own.contains(rules.indicator(rule.heads[0].atom))) continue;
        rule.span = {};
        rules.add(std::move(rule));
    }
}

}  // namespace

void add_library(Rules& rules) {
    add_rules_of(text, rules.libraries.contains("scope") ? scopes : std::string_view(), RuleLanguage::ProbLog, rules);
}

void add_prolog_library(Rules& rules) {
    add_rules_of(prolog_text, {}, RuleLanguage::Prolog, rules);
    add_library(rules);
}

}  // namespace neumann::resolution
