import pytest

from firmware.printing.paper import PAPERS
from firmware.printing.standings_sheet import (
    PrintedStanding,
    PrintedStandings,
    standings_sheet,
)
from tests.support.printed_pages import texts
from web.i18n.languages import LANGUAGES, wording_of

LINES = tuple(PrintedStanding(str(k), f"山田 Kay {k}", f"{k}½", ("", "12")) for k in range(1, 61))
STANDINGS = PrintedStandings("Open", 4, ("Direct encounter", "Median-Buchholz"), LINES)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_is_printed_once(paper: str, language: str) -> None:
    pages = texts(standings_sheet(STANDINGS, PAPERS[paper], wording_of(language), language))
    assert len(pages) == 3
    for line in LINES:
        assert (
            "".join(pages).count(f"{line.player}\r") + "".join(pages).count(f"{line.player} ") == 1
        )


def test_the_round_and_the_whole_names_of_tie_breaks_are_there() -> None:
    [text, *_] = texts(standings_sheet(STANDINGS, PAPERS["a4"], wording_of("de"), "de"))
    assert "Stand nach Runde 4" in text
    for word in ("Direct", "encounter", "Buchholz"):
        assert word in text
