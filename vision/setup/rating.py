"""Ratings of a set-up, which also a page shows. It imports nothing."""

from enum import StrEnum


class Rating(StrEnum):
    """Meaning of a score."""

    FINE = "fine"
    FAIR = "fair"
    MEND = "mend"
    UNMEASURED = "unmeasured"
