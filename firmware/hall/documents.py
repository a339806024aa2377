"""Documents of a hall: results and standings as files."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from firmware.hall.exports import (
    records_zip,
    results_csv,
    standings_csv,
    tournament_json,
    tournament_trf,
)
from firmware.hall.journal import HallJournal, NotSavedError
from firmware.hall.table_cards import table_cards
from firmware.hall.table_monitor import WatchedTable
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.state import TournamentState
from firmware.hall.tournament_sheets import pairings_sheet, result_slips, standings_sheet
from firmware.printing.paper import PAPERS
from web.hall.backend import DocumentName, HallDocument, PaperName
from web.hall.page import HallPage
from web.i18n.languages import wording_of

_TEXTS: Final[dict[DocumentName, tuple[str, Callable[..., str]]]] = {
    DocumentName.STANDINGS_CSV: ("text/csv", standings_csv),
    DocumentName.RESULTS_CSV: ("text/csv", results_csv),
    DocumentName.TOURNAMENT_JSON: ("application/json", tournament_json),
    DocumentName.TOURNAMENT_TRF: ("text/plain", tournament_trf),
}
"""Media type and maker of each file that names ids alone."""

_PDF: Final = "application/pdf"
"""Media type of the documents to print."""

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
        tables: Sequence[WatchedTable],
    ) -> HallDocument | None:
        """Makes a document; None if there is nothing to put into it.

        Args:
            name: which one.
            round_: number of the round, for pairings and slips.
            language: code of the language of texts in it.
            paper: paper to print on.
            page: the newest page.
            tables: what is known of the tables.
        """
        state = self._journal.state
        made = None
        if name is DocumentName.TABLE_CARDS_PDF:
            return self._cards(page, language, paper)
        if state.settings is None:
            return None
        if name in _TEXTS:
            made = _text(name, state)
        elif name is DocumentName.RECORDS_ZIP:
            made = _records(state, tables)
        else:
            made = _printed(name, round_, language, paper, page.public)
        if made is not None:
            self._note(made)
        return made

    def _cards(self, page: HallPage, language: str, paper: PaperName) -> HallDocument | None:
        """Makes the cards of all tables; None if there is no table to invite."""
        found = [
            (one.label or str(one.number), self._invitation(one.number)) for one in page.tables
        ]
        cards = [(label, uri) for label, uri in found if uri]
        if not cards:
            return None
        wording = wording_of(language)
        content = table_cards(page.hall, cards, PAPERS[paper], wording, language)
        return _pdf(DocumentName.TABLE_CARDS_PDF, content)

    def _note(self, made: HallDocument) -> None:
        """Notes a document that was given out; those to print have public names."""
        try:
            self._journal.note_export(made.name, has_names=made.media_type == _PDF)
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
    make = result_slips if name is DocumentName.RESULT_SLIPS_PDF else pairings_sheet
    return _pdf(name, make(page, one, sheet, wording, language))


def _pdf(name: DocumentName, content: bytes) -> HallDocument:
    return HallDocument(name.value, _PDF, content)


def _text(name: DocumentName, state: TournamentState) -> HallDocument | None:
    media_type, make = _TEXTS[name]
    try:
        text = make(state)
    except TournamentError:
        return None  # a TRF of matches of more than two players
    return HallDocument(name.value, f"{media_type}; charset=utf-8", text.encode())


def _records(state: TournamentState, tables: Sequence[WatchedTable]) -> HallDocument | None:
    players = {match.id: match.players for one in state.rounds for match in one.matches}
    found = [
        record for table in tables for record in table.records.values() if record.pairing in players
    ]
    if not found:
        return None
    return HallDocument(
        DocumentName.RECORDS_ZIP.value, "application/zip", records_zip(found, players)
    )
