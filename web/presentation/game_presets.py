"""Usual choices of the options of a new game, as values of the form's fields."""

from collections.abc import Mapping
from typing import Final

USUAL: Final[Mapping[str, str]] = {
    "timing": "none",
    "minutes": "15",
    "step_s": "10",
    "scoring": "advanced",
    "takeback": "until-next-move",
    "hints": "0",
}
"""The options that a new form shows."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "family": {**USUAL, "scoring": "basic"},
    "club": {**USUAL, "timing": "increment", "takeback": "arbiter"},
    "beginners": {**USUAL, "scoring": "basic", "hints": "5"},
}
"""The usual choices by name; what they leave out stays as it is."""
