"""Options that several verbs share, and parsers of numbers for the `type` of argparse."""

import argparse
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware.game.levels import LEVELS, parse_level
from firmware.rules.variants import EDITIONS, GAMES
from firmware.settings import CAMERA_SOURCES


def add_board(parser: argparse.ArgumentParser, games: Collection[str] = tuple(GAMES)) -> None:
    """Adds `--game`, one of `games`, and `--edition`, which describe the board in a picture."""
    parser.add_argument("--game", choices=games, help="which game (default: by the board's size)")
    parser.add_argument(
        "--edition", choices=["auto", *EDITIONS], default="auto", help="colours of the plastic"
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """Adds `--game`: Duo by default."""
    parser.add_argument("--game", choices=GAMES, default="duo", help="which game (default: duo)")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Adds `--camera`, a source of pictures."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help=f"{CAMERA_SOURCES} (default: camera.source of the settings)",
    )


def add_computer(parser: argparse.ArgumentParser) -> None:
    """Adds `--computer`: the level of the computer for each person, as names of `game.computer`."""
    parser.add_argument(
        "--computer",
        metavar="LEVELS",
        type=_computer,
        help="who is the computer's: for each person in the order of play a level, 1 to 12 or "
        f"{LEVELS[0]} to {LEVELS[-1]}, or - for a human being, as in -,{LEVELS[6]}",
    )


def _computer(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in ("", "-"):
            level(name)
    return names


def add_corners(parser: argparse.ArgumentParser) -> None:
    """Adds `--corners`: (4, 2), the corners of a board without markers, in pixels."""
    parser.add_argument(
        "--corners",
        metavar="x,y,x,y,x,y,x,y",
        type=_corners,
        help="outer corners of the squares in pixels: a14, n14, n1, a1",
    )


def add_calibration(parser: argparse.ArgumentParser) -> None:
    """Adds `--calibration` and `--empty`: files on the camera and on the empty board."""
    parser.add_argument(
        "--calibration", metavar="FILE", type=Path, help="lens and corners, from calibrate --save"
    )
    parser.add_argument("--empty", metavar="PHOTO", type=Path, help="picture of the empty board")


def _corners(text: str) -> NDArray[np.float64]:
    try:
        numbers = np.array([float(part) for part in text.split(",")])
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"eight numbers, not {text!r}") from error
    if numbers.shape != (8,) or not np.isfinite(numbers).all():
        raise argparse.ArgumentTypeError(f"eight numbers, not {text!r}")
    return numbers.reshape(4, 2)


def whole_number(
    least: int = 0, most: int | None = None, words: str = "a whole number"
) -> Callable[[str], int]:
    """Returns a parser of a whole number within bounds.

    Args:
        least: smallest number.
        most: largest number; None for no bound.
        words: the number in the message of a mistake.
    """
    bounds = f"from {least}" if most is None else f"from {least} to {most}"

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{words} {bounds}, not {text!r}")
        return int(text)

    return parse


def _number(is_right: Callable[[float], bool], words: str) -> Callable[[str], float]:
    """Returns a parser of a number that a condition holds for."""

    def parse(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not is_right(number):
            raise argparse.ArgumentTypeError(f"{words}, not {text!r}")
        return number

    return parse


def length(least: float, most: float) -> Callable[[str], float]:
    """Returns a parser of a length in millimetres within bounds."""
    return _number(lambda number: least <= number <= most, f"{least:g} to {most:g} mm")


def level(text: str) -> int:
    """Parses a level of the computer player."""
    try:
        return parse_level(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


port = whole_number(0, 65535, "a port")
"""Parses a port."""

speed = _number(lambda number: 0 < number <= 1000, "a number above 0 and up to 1000")
"""Parses a factor of speed."""

seconds = _number(lambda number: 0 < number <= 3600, "seconds above 0 and up to 3600")
"""Parses a time to think."""
