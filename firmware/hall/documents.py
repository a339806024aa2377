"""Documents of a hall: results and standings as CSV, and sheets to print.

CSV names players by ids alone, or by full names for organisers; sheets have public names.
"""

import csv
import io
import logging
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

from firmware.hall.journal import HallJournal, NotSavedError
from firmware.hall.table_cards import table_cards
from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from firmware.hall.tournament_sheets import pairings_sheet, standings_sheet
from firmware.printing.paper import PAPERS
from web.hall.backend import DocumentName, HallDocument, PaperName
from web.hall.page import HallPage
from web.i18n.languages import wording_of

_FORMULA: Final = re.compile(r"(^|[;\t])(?!-[\d.]+\Z)(?=\s*[=+\-@＝＋－＠]|[\t\r\n])")
"""Place before a text that a spreadsheet would take for a formula; a number is none. Where numbers
have a comma, a semicolon begins the next cell."""

_OF_IDS: Final = (DocumentName.STANDINGS_CSV, DocumentName.RESULTS_CSV)
"""Documents that name players by ids alone."""

_PDF: Final = "application/pdf"
"""Media type of the documents to print."""

_Called = Callable[[str], str]
"""Function that returns what a player is called, by id."""

_log = logging.getLogger(__name__)


class Documents:
    """Makes the documents of a hall.

    Args:
        journal: journal of the hall, which notes what is given out.
        invitation: returns the address that connects a table, by its number; empty if there is
            none.
    """

    def __init__(self, journal: HallJournal, invitation: Callable[[int], str]) -> None:
        self._journal: Final = journal
        self._invitation: Final = invitation

    def make(
        self,
        name: DocumentName,
        round_: int,
        language: str,
        paper: PaperName,
        page: HallPage,
    ) -> HallDocument | None:
        """Makes a document; None if there is nothing to put into it.

        Args:
            name: which one.
            round_: number of the round, for pairings.
            language: code of the language of texts in it.
            paper: paper to print on.
            page: the newest page.
        """
        state = self._journal.state
        if name is DocumentName.TABLE_CARDS_PDF:
            return self._cards(page, language, paper)
        if state.settings is None:
            return None
        is_named = name not in _OF_IDS
        text = _text(name, state, page.shown_name if is_named else str)
        if text is None:
            made = _printed(name, round_, language, paper, page.public)
        else:
            # Without the mark, spreadsheets take names for another encoding.
            content = text.encode("utf-8-sig" if is_named else "utf-8")
            made = HallDocument(name.value, "text/csv; charset=utf-8", content)
        if made is not None and is_named:
            self._note(made)
        return made

    def _cards(self, page: HallPage, language: str, paper: PaperName) -> HallDocument | None:
        """Makes the cards of all tables; None if there is no table to invite."""
        found = [(one.number, self._invitation(one.number)) for one in page.tables]
        cards = [(number, uri) for number, uri in found if uri]
        if not cards:
            return None
        wording = wording_of(language)
        content = table_cards(page.hall, cards, PAPERS[paper], wording, language)
        return _pdf(DocumentName.TABLE_CARDS_PDF, content)

    def _note(self, made: HallDocument) -> None:
        """Notes a document with names that was given out."""
        try:
            self._journal.note_export(made.name)
        except NotSavedError as error:
            _log.error("%s", error)


def _printed(
    name: DocumentName, round_: int, language: str, paper: PaperName, page: HallPage
) -> HallDocument | None:
    """Makes a document to print from the public page; None if there is nothing to put into it."""
    wording, sheet = wording_of(language), PAPERS[paper]
    if name is DocumentName.STANDINGS_PDF:
        if not page.standings:
            return None
        return _pdf(name, standings_sheet(page, sheet, wording, language))
    one = page.round(round_)
    if one is None:
        return None
    return _pdf(name, pairings_sheet(page, one, sheet, wording, language))


def _pdf(name: DocumentName, content: bytes) -> HallDocument:
    return HallDocument(name.value, _PDF, content)


def _text(name: DocumentName, state: TournamentState, called: _Called) -> str | None:
    """Returns a table, with what players are called by id; None for a document to print."""
    match name:
        case DocumentName.STANDINGS_CSV | DocumentName.NAMED_STANDINGS_CSV:
            return standings_csv(state, called)
        case DocumentName.RESULTS_CSV | DocumentName.NAMED_RESULTS_CSV:
            return results_csv(state, called)
    return None


def number_text(value: Fraction | None) -> str:
    """A number for files: "2.5", at most three digits after the point; "" for None."""
    return "" if value is None else f"{float(value):.3f}".rstrip("0").rstrip(".")


def standings_csv(state: TournamentState, called: _Called = str) -> str:
    """The standings as CSV, a line for each player, with what a player is called by id."""
    order = state.agreed.order
    rows: list[Sequence[object]] = [("place", "player", "points", *order, "played")]
    rows += [
        (
            row.place,
            called(row.player),
            number_text(row.points),
            *map(number_text, row.tie_breaks),
            row.played,
        )
        for row in standings(state)
    ]
    return _csv(rows)


def results_csv(state: TournamentState, called: _Called = str) -> str:
    """The matches of the published rounds as CSV, a line for each player of a match."""
    head = ("round", "match", "table", "seat", "player", "score", "place", "state")
    rows: list[Sequence[object]] = [(*head, "forfeited", "reason")]
    for one in _published(state):
        for match in one.matches:
            rows += [
                (one.number, match.id, match.table or "", *_player_columns(match, seat, called))
                for seat in range(len(match.players))
            ]
    return _csv(rows)


def _published(state: TournamentState) -> list[DrawnRound]:
    return [one for one in state.rounds if one.stage is not RoundStage.DRAWN]


def _player_columns(match: DrawnMatch, seat: int, called: _Called) -> tuple[object, ...]:
    player, outcome, ruling = match.players[seat], match.outcome, match.ruling
    return (
        seat + 1,
        called(player),
        outcome.scores[seat] if outcome and outcome.scores else "",
        outcome.places[seat] if outcome else "",
        match.state.value,
        "yes" if ruling and player in ruling.absent else "",
        ruling.reason if ruling else "",
    )


def _csv(rows: Iterable[Sequence[object]]) -> str:
    content = io.StringIO()
    csv.writer(content, lineterminator="\r\n").writerows(map(_safe, row) for row in rows)
    return content.getvalue()


def _safe(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return _FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell
