"""The hall's process as its pages need it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from web.contract import ClubTable, Page, PairedPhones
from web.hall.commands import HallReply, HallRequest
from web.hall.page import HallPage


class DocumentName(StrEnum):
    """Documents that the hall makes."""

    STANDINGS_CSV = "standings.csv"
    RESULTS_CSV = "results.csv"
    NAMED_STANDINGS_CSV = "standings-with-names.csv"
    NAMED_RESULTS_CSV = "results-with-names.csv"
    PAIRINGS_PDF = "pairings.pdf"
    STANDINGS_PDF = "standings.pdf"
    TABLE_CARDS_PDF = "table-cards.pdf"
    """Join QR of each table, with its secret."""


class PaperName(StrEnum):
    """Papers to print on."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class HallDocument:
    """A document.

    Attributes:
        name: name of the file.
        media_type: its media type.
        content: its bytes.
    """

    name: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class HallNews:
    """The newest state of the hall.

    Attributes:
        page: the page.
        phones: the paired phones, and the numbers that pair one.
        club: seats of a table; a hall has none.
    """

    page: HallPage
    phones: PairedPhones
    club: ClubTable | None = None

    @property
    def serial(self) -> int:
        """Counter of the page."""
        return self.page.serial


class HallBackend(Protocol):
    """The hall's process as the pages use it; every method may be called from any thread.

    It is the source of phones and of changes that `web.known_phones` and `web.views` expect.
    """

    @property
    def news(self) -> HallNews:
        """The newest state."""

    @property
    def closed(self) -> bool:
        """True if nothing will change any more."""

    def wait(self, serial: int, timeout: float) -> HallNews:
        """Returns the state as soon as its serial differs, or after `timeout` seconds."""

    def pair(self, number: str) -> str:
        """Exchanges a number for the token of a phone; empty if the number is not valid."""

    def unpair(self, token: str) -> None:
        """Ends the pairing of the phone with a token, if it has one."""

    def command(self, token: str, request: HallRequest) -> HallReply:
        """Carries out a command of a paired phone.

        A request with an id used before is not carried out again; it gets the same reply.
        """

    def table_page(self, number: int) -> Page | None:
        """Returns the newest public page of a table's game; None if it has sent none."""

    def document(
        self, name: DocumentName, round_: int, language: str, paper: PaperName = PaperName.A4
    ) -> HallDocument | None:
        """Makes a document; None if there is nothing to put into it.

        Args:
            name: which one.
            round_: number of the round, for pairings.
            language: code of the language of texts in it.
            paper: paper to print on.
        """
