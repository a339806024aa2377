"""Each rule has a drawing of its own, whose halves break it and keep it."""

import pytest

from firmware.codes import Rule
from web.presentation.rule_drawings import drawing_of


@pytest.mark.parametrize("rule", Rule)
def test_every_rule_is_drawn_wrong_and_right(rule: Rule) -> None:
    wrong, right = drawing_of(rule).figures
    assert (wrong.right, right.right) == (False, True)
    assert wrong.new != right.new or wrong.laid != right.laid
    assert wrong.new, "what is refused is a piece"
    assert right.x > wrong.x


def test_no_two_rules_have_the_same_drawing() -> None:
    drawings = {
        (
            d.figures[0].new,
            d.figures[0].laid,
            d.figures[0].field,
            d.figures[0].signs,
            d.figures[1].new,
            d.figures[1].other,
        )
        for d in map(drawing_of, Rule)
    }
    assert len(drawings) == len(Rule)
