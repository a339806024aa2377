"""Sentences of a hall's pages, from codes, in each viewer's language.

Codes are texts here, as `web.hall` is built on this package; `web.hall` gives the values of its
enumerations.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from web.i18n.hall_phrases import (
    HALL,
    HALL_ANSWERS,
    HALL_PRESETS,
    MATCH_STATES,
    ROUND_STATES,
    RULES_BROKEN,
    TABLE_CALLED,
    TABLE_FAULT,
    TABLE_FAULTS,
    TABLE_FINISHED,
    TABLE_PLAYING,
    TABLE_REFUSED,
    TABLE_REMOVED,
    TABLE_STATES,
    TABLE_WAITING,
    TIE_BREAKS,
    TIE_BREAKS_WHY,
    WARNINGS,
)
from web.i18n.wording import Wording

_HALVES: Final = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
"""Signs for the fractions of a point that have one; other fractions get two decimals."""


class HallWording(Wording):
    """The texts of one language, with those of a hall."""

    __slots__ = ()

    def hall(self, key: str, **values: object) -> str:
        """Returns a text of `HALL`, with values put in."""
        return self._translate(HALL[key]).format(**values)

    def reply(self, code: str, detail: str = "") -> str:
        """Returns the reply to a command, by its code; empty for an unknown code."""
        found = HALL_ANSWERS.get(code)
        return "" if found is None else self._translate(found).format(detail=detail)

    def table_state(self, state: str) -> str:
        """Returns a few words on the state of a table."""
        return self._translate(TABLE_STATES[state])

    def called(self, name: str) -> str:
        """Returns a clause on a call of the arbiter by a person."""
        return self._translate(TABLE_CALLED).format(name=name)

    def fault(self, faults: Iterable[str]) -> str:
        """Returns a clause on faults of a table, which are codes or texts of the table."""
        known = (self._fault(fault) for fault in faults)
        return self._translate(TABLE_FAULT).format(fault=", ".join(known))

    def _fault(self, fault: str) -> str:
        found = TABLE_FAULTS.get(fault)
        return fault if found is None else self._translate(found)

    def refused_piece(self, name: str, rule: str) -> str:
        """Returns a clause on a refused piece that has been lying for long."""
        why = self._translate(RULES_BROKEN[rule])
        return self._translate(TABLE_REFUSED).format(name=name, rule=why)

    def playing(self, count: int) -> str:
        """Returns a clause on a game with so many pieces laid."""
        return self._translate(TABLE_PLAYING).format(count=count)

    def ended(self, result: str) -> str:
        """Returns a clause on a finished game."""
        return self._translate(TABLE_FINISHED).format(result=result)

    def awaited(self, match: str) -> str:
        """Returns a clause on a match that has not begun."""
        return self._translate(TABLE_WAITING).format(match=match)

    def removed(self) -> str:
        """Returns a clause on a table that was removed."""
        return self._translate(TABLE_REMOVED)

    def round_state(self, state: str) -> str:
        """Returns a clause on the state of a round."""
        return self._translate(ROUND_STATES[state])

    def match_state(self, state: str) -> str:
        """Returns a clause on the state of a match."""
        return self._translate(MATCH_STATES[state])

    def warning(self, code: str, names: Iterable[str]) -> str:
        """Returns a sentence that warns of something in a round."""
        return self._translate(WARNINGS[code]).format(names=self.listed(names))

    def tie_break(self, code: str) -> str:
        """Returns the name of a tie-break."""
        return self._translate(TIE_BREAKS[code])

    def tie_break_why(self, code: str) -> str:
        """Returns a clause on what a tie-break compares."""
        return self._translate(TIE_BREAKS_WHY[code])

    def hall_preset(self, code: str) -> str:
        """Returns the name of a preset of a tournament."""
        return self._translate(HALL_PRESETS[code])


def points_text(points: float | Fraction) -> str:
    """Returns points for people: quarters as signs, other parts with two digits."""
    value = Fraction(points).limit_denominator(100)
    whole, part = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    if part and part not in _HALVES:
        return f"{sign}{float(abs(value)):.2f}"
    return f"{sign}{whole if whole or not part else ''}{_HALVES.get(part, '')}"
