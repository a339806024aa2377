"""Values of the constants that are fitted, from a table beside this module.

Each entry of `constants.toml` is named by module and constant, as
`squares.judgement.alike` for `vision.squares.judgement._ALIKE`.
"""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_suffix(".toml")
"""File with the table."""


@dataclass(frozen=True, slots=True)
class FittedConstant:
    """Entry of the table.

    Attributes:
        value: value of the constant.
        unit: its unit.
        data: pictures that it was fitted to, and the effect that it has on them.
        date: day on which it was fitted.
    """

    value: float
    unit: str
    data: str
    date: date


@cache
def fitted_constants() -> dict[str, FittedConstant]:
    """Returns the table, by name."""
    entries = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: FittedConstant(**entry) for name, entry in entries.items()}


def fitted(name: str) -> float:
    """Returns the value of a constant of the table."""
    return fitted_constants()[name].value
