"""The rules of each game fit on one page in every language and on every paper."""

import itertools

import pytest

from firmware.printing.paper import PAPERS
from firmware.printing.rules_sheet import rules_sheet
from firmware.printing.sheets import FOOT_MM
from firmware.rules.variants import GAMES
from tests.support.printed_pages import PX_A_MM, printed, ruler_mm, texts
from web.i18n.languages import LANGUAGES, wording_of

pytestmark = pytest.mark.slow


def sheet(game: str, paper: str = "a4", language: str = "en") -> bytes:
    return rules_sheet(GAMES[game], PAPERS[paper], wording_of(language), language)


def words(content: bytes) -> str:
    [text] = texts(content)
    return "".join(text.split())


@pytest.mark.parametrize(("paper", "language"), list(itertools.product(PAPERS, LANGUAGES)))
def test_everything_lies_between_the_margins_and_above_the_ruler(paper: str, language: str) -> None:
    for game in ("duo", "classic-3", "classic-teams"):
        [page] = printed(sheet(game, paper, language))
        assert ruler_mm(page) == pytest.approx(100, abs=0.1)
        edge, foot = round(9 * PX_A_MM), round((FOOT_MM - 2) * PX_A_MM)
        assert page[:edge].min() == page[:, :edge].min() == page[:, -edge:].min() == 255
        assert page[-foot : -round(21 * PX_A_MM)].min() == 255


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_has_its_game_and_leaves_no_word_out(game: str, language: str) -> None:
    wording, text = wording_of(language), words(sheet(game, language=language))
    size = GAMES[game].size
    assert "".join(wording.option(game).split()) in text
    assert f"{size}×{size}" in text
    assert "{" not in text
    for key in ("rules-pass", "rules-lay", "rules-corner", "rules-side"):
        assert "".join(wording.sheet(key).split()) in text


def test_the_shared_colour_is_named_only_where_there_is_one() -> None:
    shares = {game for game in GAMES if "share" in words(sheet(game)).replace("shared", "", 1)}
    assert shares == {"classic-3", "duo-4-3"}


def test_a_sheet_made_again_is_equal() -> None:
    assert sheet("duo-4-3", language="ja") == sheet("duo-4-3", language="ja")
