"""The terms of a game from the settings of the table, and from the board if that decides."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.codes import EditionKey, HintAmount
from firmware.errors import SettingsError
from firmware.game.clock import TimeControl
from firmware.game.config import HUMAN, GameConfig, usual_takeback
from firmware.game.levels import parse_level
from firmware.rules.errors import RulesError
from firmware.rules.variants import (
    EDITIONS,
    VARIANTS,
    Edition,
    Variant,
    default_edition,
    game_on,
    named_edition,
)
from firmware.settings import GameSettings, Settings
from web.contract import MOST_HINTS
from web.contract.person_names import UnfitNameError, check_names

AUTO: Final = "auto"
"""Value of `game.game` with which the size of the board decides, and of `game.takeback` with which
the game does."""

_PERSON: Final = ("", "-")
"""Names of levels that stand for a human being."""

DEFAULT_SIZE: Final = 14
"""Squares along a side of the board until one is seen: that of Duo."""


def variant_from(settings: Settings, size: int = DEFAULT_SIZE) -> Variant:
    """Returns the variant of the settings, with their shared colour.

    Args:
        settings: the settings.
        size: squares along a side of the board, which decides with `auto`.
    """
    chosen = settings.game.game
    game = game_on(size) if chosen == AUTO else VARIANTS[chosen]
    if game.shared is None:
        return game
    return game.sharing(default_edition(game).index(settings.game.shared_colour))


def edition_from(settings: Settings, game: Variant) -> Edition:
    """Returns the edition of the settings, or with `auto` the usual one of the game.

    Raises:
        SettingsError: it has not as many colours as the game.
    """
    edition = EDITIONS.get(settings.game.edition, default_edition(game))
    if len(edition) != len(game.colours):
        raise SettingsError(
            f"{game.title} has {len(game.colours)} colours; "
            f"game.edition = '{settings.game.edition}' has {len(edition)}"
        )
    return edition


def laid_edition(config: GameConfig) -> Edition:
    """Returns the colours of the pieces of a simulated table in the order of play."""
    edition = config.edition or default_edition(config.game)
    second_begins = len(edition) == 2 and edition[1] in (config.first, config.begins)
    return edition[::-1] if second_begins else edition


def config_from_settings(settings: Settings, size: int = DEFAULT_SIZE) -> GameConfig:
    """Returns the settings of a game from those of the table.

    If the board decides which game is played, names and edition are those of the game that they
    fit.

    Args:
        settings: the settings.
        size: squares along a side of the board, which decides with `auto`.

    Raises:
        SettingsError: they contradict each other.
    """
    game = variant_from(settings, size)
    chosen = _suited(settings.game, game)
    settings = replace(settings, game=chosen)
    auto = chosen.edition == "auto"
    edition = named_edition("auto", game) if auto else edition_from(settings, game)
    pace = TimeControl(settings.clock.timing, 60 * settings.clock.minutes, settings.clock.step_s)
    try:
        return GameConfig(
            game,
            edition,
            names=check_names(chosen.names),
            scoring=chosen.scoring,
            takeback=usual_takeback(game) if chosen.takeback == AUTO else chosen.takeback,
            turn_end=chosen.turn_end,
            pace=pace if pace.is_timed and game.puzzle is None else TimeControl(),
            computer=levels_from(chosen.computer),
            hints=chosen.hints if game.puzzle is None else MOST_HINTS,
            hint_amount=_amounts(chosen.hint_amount, game),
        )
    except (RulesError, UnfitNameError) as error:
        raise SettingsError(f"settings: {error}") from error


def _amounts(chosen: tuple[str, ...], game: Variant) -> tuple[HintAmount, ...]:
    """Returns the amount of hints of each person; none for a puzzle."""
    unknown = [text for text in chosen if text not in tuple(HintAmount)]
    if unknown:
        choices = ", ".join(HintAmount)
        raise SettingsError(f"settings: game.hint_amount has {unknown[0]!r}, not one of {choices}")
    amounts = tuple(map(HintAmount, chosen))
    if game.puzzle is not None:
        return ()
    return amounts * game.people if len(amounts) == 1 else amounts


def levels_from(names: Sequence[str]) -> tuple[int, ...]:
    """Returns the level of the computer for each person; 0 for one without the name of a level.

    Args:
        names: name or number of a level for each person in the order of play; empty or `-` for a
            human being.

    Raises:
        SettingsError: there is no such level.
    """
    try:
        levels = tuple(HUMAN if name in _PERSON else parse_level(name) for name in names)
    except ValueError as error:
        raise SettingsError(f"game.computer: {error}") from error
    return levels if any(levels) else ()


def _suited(chosen: GameSettings, game: Variant) -> GameSettings:
    """Returns the settings without those of another game's people, if the board decides."""
    if chosen.game != AUTO:
        return chosen
    edition = EDITIONS.get(chosen.edition, ())
    return replace(
        chosen,
        computer=chosen.computer if len(chosen.computer) == game.people else (),
        names=chosen.names if len(chosen.names) == game.people else (),
        hint_amount=chosen.hint_amount if len(chosen.hint_amount) in (1, game.people) else (),
        edition=chosen.edition if len(edition) == len(game.colours) else EditionKey.AUTO,
    )
