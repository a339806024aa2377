"""The fonts of the sheets have every character of their texts, and no other is embedded."""

import pytest
from reportlab.pdfbase.ttfonts import TTFontFile

from firmware.printing.sheets import _FONTS
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.phrases import COLOURS, RULES_WHO, SHEETS


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_character_of_a_sheet_is_in_its_font(language: str, weight: str) -> None:
    known = TTFontFile(str(_FONTS / f"NotoSansJP-{weight}.ttf")).charToGlyph
    wording = wording_of(language)
    texts = [wording.sheet(key) for key in SHEETS]
    texts += [wording.colour_named(name) for name in COLOURS]
    texts += [wording.who_plays(game, list(COLOURS)) for game in RULES_WHO]
    assert {
        character for text in texts for character in text if ord(character) not in known
    } == set()
