"""How large a rate may be that was seen so often: the bound of Clopper and Pearson (1934)."""

from math import comb, exp, lgamma, log

CONFIDENCE = 0.95


def upper(seen: int, of: int) -> float:
    """The one-sided upper bound at 95 % of a rate seen `seen` times in `of` cases.

    With none seen it is about 3 / of, the rule of three.
    """
    if seen >= of:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(seen, of, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(seen: int, of: int, rate: float) -> float:
    """The probability of at most so many cases at a rate between 0 and 1."""
    return sum(
        exp(_log_comb(of, k) + k * log(rate) + (of - k) * log(1 - rate)) for k in range(seen + 1)
    )


def _log_comb(n: int, k: int) -> float:
    return log(comb(n, k)) if n < 1000 else lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
