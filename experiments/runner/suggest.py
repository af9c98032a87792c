"""Suggestions for mistyped names: the known name with the smallest edit distance."""

LONGEST_COMPARED = 64  # characters; longer words are not typing mistakes of each other


def edit_distance(a, b):
    """Insertions, deletions, replacements and swaps of neighbours from one word to the other."""
    cost = [[i + j if i == 0 or j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost[i][j] = min(cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                cost[i][j] = min(cost[i][j], cost[i - 2][j - 2] + 1)
    return cost[len(a)][len(b)]


def nearest_name(wrong, candidates):
    """None if nothing is near. Ties go to the earlier candidate."""
    if len(wrong) > LONGEST_COMPARED:
        return None
    best = (1 if len(wrong) <= 2 else 2 if len(wrong) <= 6 else 3) + 1
    nearest = None
    for candidate in candidates:
        if len(candidate) > LONGEST_COMPARED or candidate == wrong:
            continue
        distance = edit_distance(wrong, candidate)
        # A suggestion that shares nothing with what was typed is noise.
        if distance < best and distance < max(len(wrong), len(candidate)):
            best, nearest = distance, candidate
    return nearest


def did_you_mean(wrong, candidates):
    """The nearest candidate as a question, or the list of all."""
    nearest = nearest_name(wrong, candidates)
    return f"did you mean '{nearest}'?" if nearest else f"known are {', '.join(candidates)}"
