"""Options that several verbs share: which board a picture shows, and where it lies."""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware.rules.variants import EDITIONS, GAMES


def add_board(parser: argparse.ArgumentParser) -> None:
    """Adds `--game` and `--edition`: what is looked for in a picture."""
    parser.add_argument("--game", choices=GAMES, help="which game (default: by the board's size)")
    parser.add_argument(
        "--edition", choices=["auto", *EDITIONS], default="auto", help="colours of the plastic"
    )


def add_corners(parser: argparse.ArgumentParser) -> None:
    """Adds `--corners`: (4, 2) where the board lies, for one that has no markers."""
    parser.add_argument(
        "--corners",
        metavar="x,y,x,y,x,y,x,y",
        type=_corners,
        help="outer corners of the squares in pixels: a14, n14, n1, a1",
    )


def add_calibration(parser: argparse.ArgumentParser) -> None:
    """Adds `--calibration` and `--empty`: what is known of the camera and of the bare board."""
    parser.add_argument(
        "--calibration", metavar="FILE", type=Path, help="lens and corners kept by calibrate --save"
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
