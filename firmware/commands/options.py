"""Options that several verbs share: board, corners, calibration."""

import argparse
from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware.commands.number_parsers import level
from firmware.game.levels import LEVELS
from firmware.rules.variants import EDITIONS, GAMES


def add_board(parser: argparse.ArgumentParser, games: Collection[str] = tuple(GAMES)) -> None:
    """Adds `--game`, one of `games`, and `--edition`, which describe the board in a picture."""
    parser.add_argument("--game", choices=games, help="which game (default: by the board's size)")
    parser.add_argument(
        "--edition", choices=["auto", *EDITIONS], default="auto", help="colours of the plastic"
    )


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Adds `--camera`, a source of pictures."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="auto, a device or its number, picamera2, http://.../video, http://.../shot.jpg, "
        "rtsp://..., a folder of pictures, or a video file (default: camera.source of the "
        "settings)",
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
