"""Documents of a hall: results and standings as files."""

import logging
from collections.abc import Callable
from typing import Final

from firmware.hall.exports import results_csv, standings_csv
from firmware.hall.journal import HallJournal, NotSavedError
from firmware.hall.table_cards import table_cards
from firmware.hall.tournament.state import TournamentState
from firmware.hall.tournament_sheets import pairings_sheet, standings_sheet
from firmware.printing.paper import PAPERS
from web.hall.backend import DocumentName, HallDocument, PaperName
from web.hall.page import HallPage
from web.i18n.languages import wording_of

_TEXTS: Final[dict[DocumentName, Callable[[TournamentState], str]]] = {
    DocumentName.STANDINGS_CSV: standings_csv,
    DocumentName.RESULTS_CSV: results_csv,
}
"""Makers of the files that name ids alone."""

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
        made = None
        if name is DocumentName.TABLE_CARDS_PDF:
            return self._cards(page, language, paper)
        if state.settings is None:
            return None
        if name in _TEXTS:
            made = _text(name, state)
        else:
            made = _printed(name, round_, language, paper, page.public)
        if made is not None:
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
    return _pdf(name, pairings_sheet(page, one, sheet, wording, language))


def _pdf(name: DocumentName, content: bytes) -> HallDocument:
    return HallDocument(name.value, _PDF, content)


def _text(name: DocumentName, state: TournamentState) -> HallDocument:
    return HallDocument(name.value, "text/csv; charset=utf-8", _TEXTS[name](state).encode())
