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
from web.presentation.mounting_view import CameraMounting

NUMBERS = re.compile(r"\d+\.\d cm")


def page_of(language: str, step: str, mountings: tuple[CameraMounting, ...]) -> str:
    """Returns the text of a step of the set-up, as a paired phone gets it."""
    table = PairingTable(Path("/nowhere"))
    try:
        table.know(PHONE)
        table.hear(replace(example_pages.empty(), private=ArbiterPage()))
        facts = ProgramFacts(mountings=mountings)
        client = create_app(table, streams=1, facts=facts).test_client()
        client.set_cookie(PAIRING_COOKIE, PHONE)
        client.set_cookie("language", language)
        return client.get(f"/arbiter/setup/{step}").text
    finally:
        table.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_figures_of_the_terminal_for_every_camera(language: str) -> None:
    page = page_of(language, "picture", usual_mountings())
    assert wording_of(language).mounting("title") in page
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page)
    for row, model in zip(rows, MODELS.values(), strict=True):
        text = described(plan_mounting(model, BoardSize.usual(14)))
        assert NUMBERS.findall(row)[:3] == NUMBERS.findall(text)[:3]
        corner = re.search(r">(\d+)°<", row)
        assert corner is not None
        assert f"{corner[1]} degrees from straight down" in text
        assert 'class="few"' not in row
    assert 'class="mounting"' not in page_of(language, "check", usual_mountings())


def test_a_camera_with_too_few_pixels_is_named_as_such() -> None:
    coarse = tuple(replace(one, is_coarse=True) for one in usual_mountings())
    assert page_of("en", "picture", coarse).count("too few") == len(MODELS)
    of_classic = tuple(one for one in coarse if one.squares == 20)
    assert 'class="mounting"' not in page_of("en", "picture", of_classic)
