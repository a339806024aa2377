"""The terms of a game from the settings of the table."""

from dataclasses import replace

import pytest

from firmware.assembly.game_config import config_from_settings
from firmware.codes import GameKey, HintAmount, Takeback, Timing
from firmware.errors import SettingsError
from firmware.game.config import usual_takeback
from firmware.rules.variants import PUZZLES, VARIANTS
from firmware.settings import ClockSettings, GameSettings, Settings


@pytest.mark.parametrize("key", VARIANTS)
def test_every_game_and_puzzle_can_be_set(key: str) -> None:
    config = config_from_settings(Settings(game=GameSettings(game=key)))  # type: ignore[arg-type]
    assert config.game == VARIANTS[key]
    assert config.takeback is usual_takeback(VARIANTS[key])


def test_the_clock_of_the_settings_is_for_games() -> None:
    settings = Settings(clock=ClockSettings(timing=Timing.INCREMENT, step_s=5.0))
    assert config_from_settings(settings).pace.is_timed
    puzzle = replace(settings, game=GameSettings(game=GameKey.PUZZLE_ALL))
    assert config_from_settings(puzzle).game is PUZZLES["puzzle-all"]
    assert not config_from_settings(puzzle).pace.is_timed


def test_a_puzzle_has_hints_whenever_somebody_asks() -> None:
    for hints in (0, 3):
        chosen = GameSettings(game=GameKey.PUZZLE_ALL, hints=hints)
        assert config_from_settings(Settings(game=chosen)).hints == 99
        game = config_from_settings(Settings(game=GameSettings(hints=hints)))
        assert game.hints == hints


def test_the_amount_of_hints_is_for_all_or_for_each() -> None:
    def amounts(*chosen: str, game: str = "classic-3") -> tuple[HintAmount, ...]:
        settings = GameSettings(game=game, hint_amount=chosen)  # type: ignore[arg-type]
        return config_from_settings(Settings(game=settings)).hint_amount

    assert amounts() == ()
    assert amounts("none") == (HintAmount.NONE,) * 3
    assert amounts("none", "everything", "area-and-piece")[2] is HintAmount.AREA_AND_PIECE
    assert amounts("none", game="puzzle-all") == ()
    assert amounts("none", "everything", game="auto") == (HintAmount.NONE, HintAmount.EVERYTHING)
    assert amounts("none", "everything", "none", game="auto") == ()
    with pytest.raises(SettingsError, match="has 3 amounts of hints, not 2"):
        amounts("none", "everything")
    with pytest.raises(SettingsError, match=r"game\.hint_amount has 'some', not one of none, area"):
        amounts("some")


def test_a_game_refuses_what_is_for_puzzles() -> None:
    with pytest.raises(SettingsError, match="takeback any is for puzzles"):
        config_from_settings(Settings(game=GameSettings(game=GameKey.DUO, takeback=Takeback.ANY)))
    stated = GameSettings(game=GameKey.PUZZLE_ALL, takeback=Takeback.UNTIL_NEXT_MOVE)
    assert config_from_settings(Settings(game=stated)).takeback is Takeback.UNTIL_NEXT_MOVE


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("Anna", "\u0410nna"), "settings: that looks like Anna, the name of somebody else"),
        (("Anna", "An\u200bna"), "settings: that looks like Anna, the name of somebody else"),
        (("Anna", "\u3164"), r"a name has 1 to 40 characters that can be seen, unlike U\+3164"),
        (("Anna", "x" * 41), "a name has 1 to 40 characters"),
    ],
)
def test_names_of_the_settings_can_be_told_apart(names: tuple[str, ...], says: str) -> None:
    game = GameSettings(game=GameKey.DUO, names=names)
    with pytest.raises(SettingsError, match=says):
        config_from_settings(Settings(game=game))


def test_names_of_the_settings_are_kept_without_what_nobody_sees() -> None:
    game = GameSettings(game=GameKey.DUO, names=("An\u200bna", " Ben  Lind "))
    assert config_from_settings(Settings(game=game)).names == ("Anna", "Ben Lind")


def test_levels_of_the_computer_are_names_or_numbers() -> None:
    game = GameSettings(game=GameKey.DUO, computer=("", "strong"))
    assert config_from_settings(Settings(game=game)).computer == (0, 7)
    game = replace(game, computer=("-", "12"))
    assert config_from_settings(Settings(game=game)).computer == (0, 12)
    with pytest.raises(SettingsError, match=r"game\.computer: there is no level 'storng'"):
        config_from_settings(Settings(game=replace(game, computer=("", "storng"))))
    with pytest.raises(SettingsError, match="leave a seat to a person"):
        config_from_settings(Settings(game=replace(game, computer=("1", "2"))))


def test_levels_for_another_number_of_people_wait_for_their_game() -> None:
    game = GameSettings(computer=("", "strong"))
    assert config_from_settings(Settings(game=game), 14).computer == (0, 7)
    assert config_from_settings(Settings(game=game), 20).computer == ()
