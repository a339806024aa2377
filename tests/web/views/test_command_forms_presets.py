"""Usual choices of a new game are choices that the form and the table take."""

import pytest

from firmware.codes import Takeback, Timing
from firmware.session.command_gate import config_from
from web.contract import NewGame
from web.i18n.languages import LANGUAGES, wording_of
from web.views.command_forms import PRESETS, USUAL, command_from_form


def chosen(name: str) -> NewGame:
    command = command_from_form({"word": "new-game", **PRESETS[name]}, None)
    assert isinstance(command, NewGame)
    return command


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_sets_every_option_and_begins_a_game(name: str) -> None:
    assert PRESETS[name].keys() == USUAL.keys()
    assert config_from(chosen(name)).hints == int(PRESETS[name]["hints"])
    for language in LANGUAGES:
        wording = wording_of(language)
        assert wording.say(f"presets.{name}")
        assert wording.option(name)


def test_each_preset_is_what_its_name_says() -> None:
    assert chosen("beginners").hints == 5
    assert chosen("family").timing is Timing.NONE
    club = chosen("club")
    assert (club.timing, club.clock_s, club.step_s) == (Timing.INCREMENT, 900, 10)
    assert club.takeback is Takeback.ARBITER
    assert len({chosen(name) for name in PRESETS}) == len(PRESETS)


def test_the_usual_options_are_those_of_a_game_without_a_choice() -> None:
    command = command_from_form({"word": "new-game", **USUAL}, None)
    assert command == NewGame()
