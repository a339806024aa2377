"""A whole game in rendered pictures, at the speed of reading."""

import re

import pytest

from firmware.commands.main import main


def test_a_whole_game_is_refereed_without_a_wrong_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--autoplay", "--fast", "--seed", "1"]) == 0
    assert re.match(
        r"31 moves accepted, 0 of them wrongly, 0 missed; 1 of 1 mistakes refused, 0 wrong ",
        capsys.readouterr().out,
    )
