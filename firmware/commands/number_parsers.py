"""Parsers of numbers and levels in the command line, for the `type` of argparse."""

import argparse
from collections.abc import Callable

from firmware.game.levels import parse_level


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
