"""Content of the root of a record: game, names of colours and people, scoring.

`GM` is Pentobi's name of the game; private properties add the rest (see `record`).
"""

import re
from collections.abc import Sequence
from typing import Final

from firmware.codes import Scoring
from firmware.game.levels import MOST_LEVEL
from firmware.records.sgf import Node, Property
from firmware.rules.errors import RecordError
from firmware.rules.variants import (
    GAMES,
    LETTERS,
    VARIANTS,
    Edition,
    Variant,
    default_edition,
)

_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,3})?", re.ASCII)
"""Seconds with up to three decimals. The nine digits before them are chosen: over 30 years."""

_SEED: Final = re.compile(r"\d{1,19}", re.ASCII)
"""A seed of the computer's choices, 0 or more; the largest signed one of 64 bits has 19 digits."""

_LEVELS: Final = frozenset(map(str, range(MOST_LEVEL + 1)))
"""Levels of the computer as text; 0 is a human being."""


def is_pentobi_game(game: Variant) -> bool:
    """True if Pentobi has this game."""
    return not game.record_name.startswith(GAMES["duo-4"].record_name)


def name_identifiers(game: Variant) -> tuple[str, ...]:
    """Identifiers of the properties that hold the names of the people, in the order of play."""
    if game.people == 2:
        return ("PB", "PW")
    if game.shared is not None:
        # By colour: if the shared colour is not green the record is one of four players.
        return tuple(f"P{side[0] + 1}" for side in game.sides)
    return tuple(f"P{person + 1}" for person in range(game.people))


def name_properties(game: Variant, names: Sequence[str]) -> list[tuple[str, str]]:
    """Properties with the names of the people, and of the teams if Pentobi has two players."""
    found = list(zip(name_identifiers(game), names, strict=False))
    if names and game.people > len(game.sides) == 2:
        # Pentobi has two players here: the teams.
        teams = (" & ".join(names[colour] for colour in side) for side in game.sides)
        found += list(zip(("PB", "PW"), teams, strict=True))
    return found


def game_of(root: Node) -> Variant:
    """The game of a record.

    Raises:
        RecordError: it names no game, or an unknown one.
    """
    named = root.property("GM")
    if named is None:
        raise RecordError("the record does not say which game it is: GM is missing", *root.place)
    name = " ".join(named.values[0].split())
    known = [game for game in GAMES.values() if game.record_name.lower() == name.lower()]
    if not known:
        names = ", ".join(dict.fromkeys(game.record_name for game in GAMES.values()))
        raise error_at(named, 0, f"{name!r} is not a game known here; known are {names}")
    game = known[0]
    if exact := root.property("CLGAME"):
        key = exact.values[0]
        if key not in VARIANTS:
            names = ", ".join(VARIANTS)
            raise error_at(exact, 0, f"there is no game {key!r}; the games are {names}")
        if VARIANTS[key].size != game.size or len(VARIANTS[key].colours) != len(game.colours):
            raise error_at(exact, 0, f"{key} cannot be a game of {name!r}")
        game = VARIANTS[key]
    if shared := root.property("CLSHARED"):
        number = shared.values[0]
        if number not in {"1", "2", "3", "4"} or game.shared is None:
            raise error_at(shared, 0, f"{number!r} cannot be the shared colour of {game.title}")
        game = game.sharing(int(number) - 1)
    return game


def edition_of(root: Node, game: Variant) -> Edition:
    """The names of the colours, in the order of play.

    Raises:
        RecordError: they are not valid names for the colours of the game.
    """
    colours = root.property("CLCOLORS")
    if colours is None:
        return default_edition(game)
    names = tuple(colours.values)
    if len(set(names)) != len(game.colours) or len(names) != len(game.colours):
        raise error_at(colours, 0, f"{game.title} has {len(game.colours)} colours")
    for index, name in enumerate(names):
        if name not in LETTERS:
            raise error_at(
                colours, index, f"{name!r} is no colour; colours are {', '.join(LETTERS)}"
            )
    return names


def scoring_of(root: Node) -> Scoring:
    """The scoring that decides the winner.

    Raises:
        RecordError: there is no such scoring.
    """
    named = root.property("CLSCORING")
    if named is None:
        return Scoring.ADVANCED
    try:
        return Scoring(named.values[0])
    except ValueError as error:
        raise error_at(named, 0, "the scoring is basic or advanced") from error


def seconds_of(root: Node) -> float | None:
    """The seconds that a puzzle has taken; None if the record does not say.

    Raises:
        RecordError: it is no number of seconds.
    """
    text = _number(root, "CLSECONDS", _SECONDS, "number of seconds, as in 83.2")
    return None if text is None else float(text)


def computer_of(root: Node, game: Variant) -> tuple[int, ...]:
    """The level of the computer for each person, 0 for a human being; empty if it played nobody.

    Raises:
        RecordError: there is no such level, or another number of people.
    """
    named = root.property("CLCOMPUTER")
    if named is None:
        return ()
    for index, value in enumerate(named.values):
        if value not in _LEVELS:
            message = f"{value!r:.80} is no level of the computer; they are 0 to {MOST_LEVEL}"
            raise error_at(named, index, message)
    if len(named.values) != game.people:
        raise error_at(named, 0, f"{game.title} has {game.people} people")
    return tuple(map(int, named.values))


def seed_of(root: Node) -> int:
    """The seed of the computer's choices; 0 if the record does not say.

    Raises:
        RecordError: it is no whole number.
    """
    return int(_number(root, "CLSEED", _SEED, "whole number of up to 19 digits") or 0)


def _number(root: Node, identifier: str, form: re.Pattern[str], kind: str) -> str | None:
    """The text of a number; None if the record does not say."""
    named = root.property(identifier)
    if named is None:
        return None
    text = named.values[0]
    if not form.fullmatch(text):
        raise error_at(named, 0, f"{text!r:.80} is no {kind}")
    return text


def error_at(item: Property, index: int, message: str) -> RecordError:
    """An error with line and column of a value of a property."""
    line, column = item.place[index] if item.place else (1, 1)
    return RecordError(f"{item.identifier}: {message}", line, column)
