import pytest

from firmware.codes import Rule
from web.i18n.hall_wording import HallWording
from web.i18n.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", Rule)
def test_a_refused_piece_has_a_clause_for_every_rule(rule: Rule, language: str) -> None:
    wording = HallWording(language)
    said = wording.refused_piece("Ada", rule)
    assert said.startswith("Ada")
    others = {wording.refused_piece("Ada", other) for other in Rule if other is not rule}
    assert said not in others
