"""How large a rate may be that was seen so often: the bound of Clopper and Pearson.

Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of
the binomial", Biometrika 26.
"""

from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95


def upper(seen: int, of: int) -> float:
    """The one-sided upper bound at 95 % of a rate seen `seen` times in `of` cases.

    It is the rate at which so few or fewer have a probability of 5 %; with none seen about
    3 / of, the rule of three.
    """
    if seen >= of:
        return 1.0
    low, high = seen / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(seen, of, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(seen: int, of: int, rate: float) -> float:
    """The probability of at most so many cases at a rate above 0."""
    if rate >= 1:
        return 0.0
    ways = (
        lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1)
        + k * log(rate) + (of - k) * log1p(-rate)
        for k in range(seen + 1)
    )  # fmt: skip
    return sum(map(exp, ways))
