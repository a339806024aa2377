"""The form of a reason in JSON."""

import pytest

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason, from_json, to_json


def test_reasons_have_a_form_in_json() -> None:
    reason = Reason(MoveReasonCode.KEEPS_OPTIONS, 386, ("k9", "l8"))
    row = {"reason": "keeps-options", "number": 386, "squares": ["k9", "l8"]}
    assert to_json(reason) == row
    assert from_json(row) == reason


@pytest.mark.parametrize("row", [{}, {"reason": "x", "number": 1, "squares": []}])
def test_another_form_is_refused(row: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(row)
