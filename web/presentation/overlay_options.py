"""The parameters in the address of an overlay."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from web.i18n.languages import LANGUAGES
from web.overlay_history import LONGEST_DELAY_S

PARTS: Final = ("names", "score", "clock", "board", "last", "rule", "next")
"""Parts of an overlay, each a box of its own."""

SIDES: Final = ("right", "left")
"""Sides of the picture on which the board and the players stand; the first one is usual."""

WIDEST_MARGIN: Final = 10
"""Percent of the picture that stay free at each edge at most."""

_USUAL_MARGIN: Final = 3
"""Percent of the picture that stay free unless the address names another number."""

_NAMES: Final = ("parts", "lang", "side", "safe", "delay")
"""Names of the parameters."""

FEATURED: Final = "featured"
"""The table that the organiser chooses."""


@dataclass(frozen=True, slots=True)
class OverlayOptions:
    """Choices of whoever opens an overlay.

    Attributes:
        parts: parts that are shown.
        language: code of the language; empty for that of the browser.
        side: side of the picture, one of `SIDES`.
        safe: percent of the picture that stay free at each edge.
        delay_s: seconds by which the overlay is late; the operator may have set more.
        table: number of a table of a hall, or `FEATURED`; empty at a table's own page.
    """

    parts: frozenset[str] = frozenset(PARTS)
    language: str = ""
    side: str = SIDES[0]
    safe: int = _USUAL_MARGIN
    delay_s: int = 0
    table: str = ""


class WrongParameterError(Exception):
    """A parameter that an overlay does not know, or a value that it does not take.

    Attributes:
        name: name of the parameter.
        value: its value; None if the parameter itself is unknown.
        allowed: what is right, without words.
    """

    def __init__(self, name: str, value: str | None, allowed: str) -> None:
        super().__init__(name)
        self.name: Final = name
        self.value: Final = value
        self.allowed: Final = allowed


def options_of(parameters: Mapping[str, str], *, in_hall: bool = False) -> OverlayOptions:
    """Returns the options in the parameters of an address.

    Args:
        parameters: texts by name.
        in_hall: True if a table can be chosen.

    Raises:
        WrongParameterError: a parameter is unknown, or has a wrong value.
    """
    known = (*_NAMES, "table") if in_hall else _NAMES
    for name in parameters:
        if name not in known:
            raise WrongParameterError(name, None, ", ".join(known))
    parts = frozenset(filter(None, parameters.get("parts", ",".join(PARTS)).split(",")))
    if not parts or not parts <= {*PARTS}:
        raise WrongParameterError("parts", parameters["parts"], ", ".join(PARTS))
    return OverlayOptions(
        parts=parts,
        language=_one_of(parameters, "lang", ("", *LANGUAGES)),
        side=_one_of(parameters, "side", SIDES),
        safe=_number(parameters, "safe", _USUAL_MARGIN, WIDEST_MARGIN),
        delay_s=_number(parameters, "delay", 0, LONGEST_DELAY_S),
        table=_table(parameters) if in_hall else "",
    )


def _one_of(parameters: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    value = parameters.get(name, allowed[0])
    if value not in allowed:
        raise WrongParameterError(name, value, ", ".join(filter(None, allowed)))
    return value


def _number(parameters: Mapping[str, str], name: str, usual: int, most: int) -> int:
    text = parameters.get(name, str(usual))
    # Only the digits of ASCII: `int` reads those of every script.
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) + 1):
        raise WrongParameterError(name, text, f"0-{most}")
    if int(text) > most:
        raise WrongParameterError(name, text, f"0-{most}")
    return int(text)


def _table(parameters: Mapping[str, str]) -> str:
    """Returns a table as the hall writes it: a number without zeros before it, or `FEATURED`."""
    value = parameters.get("table", FEATURED)
    if value == FEATURED:
        return value
    return str(_number(parameters, "table", 0, 9999))
