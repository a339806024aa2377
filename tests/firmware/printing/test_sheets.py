"""The fonts of the sheets have every character of their texts, and no other is embedded."""

import pytest
from reportlab.pdfbase.ttfonts import TTFontFile

from firmware.printing.sheets import _FONTS
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.texts import section_of


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_character_of_a_sheet_is_in_its_font(language: str, weight: str) -> None:
    known = TTFontFile(str(_FONTS / f"NotoSansJP-{weight}.ttf")).charToGlyph
    wording = wording_of(language)
    colours = section_of("colours")
    texts = [*section_of("sheets", language).values(), *section_of("colours", language).values()]
    texts += [wording.who_plays(game, list(colours)) for game in section_of("rules-who")]
    assert {
        character for text in texts for character in text if ord(character) not in known
    } == set()
