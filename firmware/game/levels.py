"""Names of the twelve levels of the computer player, the weakest first.

Their parameters are in `firmware.player.search.levels`, which only the player's process reads.
"""

from typing import Final

LEVELS: Final = (
    "newcomer",
    "beginner",
    "learner",
    "casual",
    "steady",
    "skilled",
    "strong",
    "sharp",
    "expert",
    "master",
    "grandmaster",
    "champion",
)
"""Names of levels 1 to 12, from the weakest to the strongest."""

MOST_LEVEL: Final = len(LEVELS)
"""The highest level of the computer."""


def parse_level(text: str) -> int:
    """The number of a level, 1 to 12, from its number or its name.

    Raises:
        ValueError: there is no such level; its text is a sentence for the user.
    """
    name = text.strip().lower()
    if name in LEVELS:
        return LEVELS.index(name) + 1
    # Long rows of digits are no number that `int` has to read.
    if name.isdecimal() and len(name) <= 3 and 1 <= int(name) <= MOST_LEVEL:
        return int(name)
    names = ", ".join(LEVELS)
    raise ValueError(f"there is no level {text[:20]!r}; use 1 to {MOST_LEVEL} or a name: {names}")


def level_name(level: int) -> str:
    """The number and the name of a level, as text for the user."""
    return f"{level} ({LEVELS[level - 1]})"
