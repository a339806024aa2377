"""The standings of a tournament for the wall."""

from dataclasses import dataclass

from firmware.printing.lists import ListColumn, PrintedList, list_file
from firmware.printing.paper import Paper
from web.i18n.wording import Wording


@dataclass(frozen=True, slots=True)
class PrintedStanding:
    """A line of the standings, all as texts.

    Attributes:
        place: place; the same for players who share it.
        player: public name.
        points: points.
        tie_breaks: value of each tie-break; empty where it decides nothing.
    """

    place: str
    player: str
    points: str
    tie_breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedStandings:
    """The standings after a round.

    Attributes:
        event: name of the event.
        round: number of the last round that counts.
        tie_breaks: names of the tie-breaks, the most important one first.
        lines: the lines in order.
    """

    event: str
    round: int
    tie_breaks: tuple[str, ...]
    lines: tuple[PrintedStanding, ...]


def standings_sheet(
    standings: PrintedStandings, paper: Paper, wording: Wording, language: str
) -> bytes:
    """Returns the standings as PDF."""
    columns = (
        ListColumn(wording.sheet("place"), 10, is_number=True, is_strong=True),
        ListColumn(wording.sheet("player"), 46),
        ListColumn(wording.sheet("points"), 14, is_number=True, is_strong=True),
        *(ListColumn(name, 16, is_number=True) for name in standings.tie_breaks),
    )
    blank = ("",) * len(standings.tie_breaks)
    rows = tuple(
        (one.place, one.player, one.points, *(*one.tie_breaks, *blank)[: len(blank)])
        for one in standings.lines
    )
    title = wording.sheet("standings-after", round=standings.round)
    printed = PrintedList(standings.event, title, columns, rows)
    return list_file((printed,), paper, wording, language)
