"""The page of the set-up shows the same figures as `cornerlight print height`."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.cameras.mounting import MODELS, BoardSize, plan_mounting
from firmware.commands.mounting_text import described, usual_mountings
from tests.support import example_pages
from tests.web.views.test_arbiter import PHONE, PairingTable
from web.app import ProgramFacts, create_app
from web.contract import ArbiterPage
from web.i18n.languages import LANGUAGES, wording_of
from web.known_phones import PAIRING_COOKIE
from web.presentation.mounting_view import mounting_of

NUMBERS = re.compile(r"\d+\.\d cm")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("squares", [14, 20])
def test_the_page_has_the_figures_of_the_terminal(squares: int, language: str) -> None:
    view = mounting_of(usual_mountings(), squares, wording_of(language))
    assert view is not None
    for row, model in zip(view.rows, MODELS.values(), strict=True):
        text = described(plan_mounting(model, BoardSize.usual(squares)))
        figures = [figure for _, figure in row.figures]
        assert figures[:3] == [f"{length}" for length in NUMBERS.findall(text)[:3]]
        assert f"{figures[5].rstrip('°')} degrees from straight down" in text
        assert row.warning == ""


def test_a_camera_with_too_few_pixels_is_named_as_such() -> None:
    coarse = [replace(one, is_coarse=True) for one in usual_mountings()]
    view = mounting_of(coarse, 14, wording_of("en"))
    assert view is not None
    assert all("too few" in row.warning for row in view.rows)
    assert mounting_of(coarse, 9, wording_of("en")) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_mounts_the_camera_sees_every_camera_for_the_board(language: str) -> None:
    table = PairingTable(Path("/nowhere"))
    try:
        table.know(PHONE)
        table.hear(replace(example_pages.empty(), private=ArbiterPage()))
        facts = ProgramFacts(mountings=usual_mountings())
        client = create_app(table, streams=1, facts=facts).test_client()
        client.set_cookie(PAIRING_COOKIE, PHONE)
        client.set_cookie("language", language)
        page = client.get("/arbiter/setup/picture").get_data(as_text=True)
        assert "37.9 cm" in page
        assert page.count('scope="row"') == len(MODELS)
        assert wording_of(language).mounting("title") in page
        assert 'class="mounting"' not in client.get("/arbiter/setup/check").get_data(as_text=True)
    finally:
        table.close()
