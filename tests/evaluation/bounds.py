"""The upper bound of Clopper and Pearson of an observed rate.

Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of
the binomial", Biometrika 26.
"""

from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95
"""Probability that the bound holds."""


def upper(count: int, of: int) -> float:
    """Returns the one-sided upper bound at 95 % of a rate observed `count` times in `of` cases.

    It is the rate at which `count` or fewer cases have a probability of 5 %; with `count` = 0 about
    3 / of, the rule of three.
    """
    if count >= of:
        return 1.0
    low, high = count / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _at_most(count, of, middle) > 1 - CONFIDENCE else (low, middle)
        )
    return high


def _at_most(count: int, of: int, rate: float) -> float:
    """Returns the probability of at most `count` cases at a rate above 0."""
    if rate >= 1:
        return 0.0
    ways = (
        lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1)
        + k * log(rate) + (of - k) * log1p(-rate)
        for k in range(count + 1)
    )  # fmt: skip
    return sum(map(exp, ways))
