"""Sentences of a hall's pages, from codes, in each viewer's language.

Codes are texts here, as `web.hall` is built on this package; `web.hall` gives the values of its
enumerations.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from web.i18n.wording import Wording, in_section

_HALVES: Final = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
"""Signs for the fractions of a point that have one; other fractions get two decimals."""


class HallWording(Wording):
    """The texts of one language, with those of a hall."""

    __slots__ = ()
    hall = in_section("hall")
    table_state = in_section("table-states")
    round_state = in_section("round-states")
    match_state = in_section("match-states")
    tie_break = in_section("tie-breaks")

    def reply(self, code: str, detail: str = "") -> str:
        """Returns the reply to a command, by its code; empty for an unknown code."""
        return self.known("hall-answers", code, "").format(detail=detail)

    def fault(self, faults: Iterable[str]) -> str:
        """Returns a clause on faults of a table, which are codes or texts of the table."""
        known = (self.known("table-faults", fault, fault) for fault in faults)
        return self.say("table-fault", fault=", ".join(known))

    def warning(self, code: str, names: Iterable[str]) -> str:
        """Returns a sentence that warns of something in a round."""
        return self.say(f"warnings.{code}", names=self.listed(names))


def points_text(points: float | Fraction) -> str:
    """Returns points for people: quarters as signs, other parts with two digits."""
    value = Fraction(points).limit_denominator(100)
    whole, part = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    if part and part not in _HALVES:
        return f"{sign}{float(abs(value)):.2f}"
    return f"{sign}{whole if whole or not part else ''}{_HALVES.get(part, '')}"
