"""Trial: readings under every scene of the lights, ink and brightness.

Lights are under free squares and translucent tiles. For each scene, frames are read as the table
reads them: lit ones with the glowing squares masked, then one exposed in a dark window; and once
more without knowledge of the lights. A dark frame with another reading than before the lights, or
a lit one with a detected hand, is a fault; frames read without that knowledge show the effect of
the dark windows.

Run it with `python -m tests.evaluation glow --brightness 0.2 0.6 1.0`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import cv2
import numpy as np

from firmware.codes import Translucency
from firmware.lights.power_budget import corrected
from firmware.lights.scene import ever
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, Edition
from firmware.simulator.appearance import FROSTED, PieceMaterial, table_look
from firmware.simulator.table import TablePiece, VirtualTable
from tests.support.led_scenes import showings
from tests.support.random_games import played
from vision.camera import Frame, Image
from vision.plastics import Rgb
from vision.reader import Reader
from vision.reading import Reading
from vision.synthetic.renderer import Renderer


@dataclass(frozen=True)
class GlowSetup:
    """A board with pieces under a camera."""

    table: VirtualTable
    edition: Edition
    renderer: Renderer
    plastic: PieceMaterial

    @classmethod
    def of(cls, position: Position, edition: Edition, plastic: PieceMaterial) -> "GlowSetup":
        table = VirtualTable(position.game)
        for colour, moves in enumerate(position.laid):
            for move in moves:
                table.lay(TablePiece(colour, move))
        return cls(table, edition, Renderer(3), plastic)

    def picture(self, lit: dict[int, Rgb], brightness: float, number: int) -> Image:
        """Returns a frame in which some squares glow with their perceived brightness."""
        inks = np.zeros((self.table.scene.game.size**2, 3), np.uint8)
        for square, ink in lit.items():
            inks[square] = ink
        duty = corrected(inks, brightness)
        values = np.round(255 * (duty / 255) ** (1 / 2.2)).astype(int)
        self.table.light(tuple((r, g, b) for r, g, b in values.tolist()))
        look = table_look(self.table.scene, self.edition, plastic=self.plastic)
        return self.renderer.render(look, number)


@dataclass(frozen=True)
class GlowResult:
    """Results of one scene.

    Attributes:
        dark: number of squares with another reading in a dark frame after the lights.
        masked: number of visible squares with another reading in a lit frame, lit squares masked.
        hand: True if a hand was detected in the lit frame.
        unaware: number of squares with another reading without knowledge of the lights, plus one
            for a detected hand.
    """

    dark: int
    masked: int
    hand: bool
    unaware: int


def outcome(
    setting: GlowSetup, before: Image, lit: dict[int, Rgb], brightness: float
) -> GlowResult:
    """Reads a scene with and without knowledge of the lights."""
    size = setting.table.scene.game.size
    mask = np.zeros(size**2, np.bool_)
    mask[list(lit)] = True
    aware, unaware = Reader(size, setting.edition), Reader(size, setting.edition)
    first = _reading(aware, before, 0.0)
    _reading(unaware, before, 0.0)
    glowing = setting.picture(lit, brightness, 2)
    masked = _reading(aware, glowing, 0.1, mask)
    dark = _reading(aware, setting.picture({}, brightness, 3), 0.2)
    fooled = _reading(unaware, glowing, 0.1)
    return GlowResult(
        _differing(first, dark) + (dark.hand != first.hand),
        _differing(first, masked),
        masked.hand and not first.hand,
        _differing(first, fooled) + (fooled.hand != first.hand),
    )


def _reading(reader: Reader, image: Image, at: float, lit: np.ndarray | None = None) -> Reading:
    found = reader.read(Frame(image, at, round(10 * at) + 1), lit)
    assert isinstance(found, Reading)
    return found


def _differing(one: Reading, other: Reading) -> int:
    visible = ~other.covered & ~one.covered
    return int(
        ((one.probabilities.argmax(axis=1) != other.probabilities.argmax(axis=1)) & visible).sum()
    )


def sweep(
    games: Sequence[tuple[str, str]],
    plies: Sequence[int],
    brightness: Sequence[float],
    every: int = 1,
) -> Iterator[tuple[str, GlowResult]]:
    """Yields the name and the result of every scene of some games, or of every `every`-th."""
    number = count()
    for game, edition in games:
        for ply in plies:
            position = played(game, 11, ply)
            for pieces, plastic in (
                (Translucency.OPAQUE, PieceMaterial()),
                (Translucency.TRANSLUCENT, FROSTED),
            ):
                setting = GlowSetup.of(position, EDITIONS[edition], plastic)
                before = setting.picture({}, 1.0, 1)
                for name, (_, glows) in showings(position, EDITIONS[edition], pieces).items():
                    for level in brightness:
                        if next(number) % every:
                            continue
                        case = f"{game} {edition} ply {ply} {pieces} {name} at {level:g}"
                        yield case, outcome(setting, before, ever(glows), level)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints every fault, then the totals."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation glow")
    parser.add_argument("--brightness", type=float, nargs="+", default=[0.2, 0.6, 1.0])
    parser.add_argument("--plies", type=int, nargs="+", default=[3, 12, 26])
    parser.add_argument("--games", nargs="+", default=["duo", "classic"])
    arguments = parser.parse_args(words)
    editions = {"duo": ["purple-orange", "black-white", "blue-green", "red-yellow"]}
    games = [
        (game, edition)
        for game in arguments.games
        for edition in editions.get(game, ["blue-yellow-red-green"])
    ]
    cv2.setNumThreads(1)
    tally: Counter[str] = Counter()
    for case, found in sweep(games, arguments.plies, arguments.brightness):
        tally["scenes"] += 1
        tally["dark frames read otherwise"] += bool(found.dark)
        tally["lit frames with a square read otherwise"] += bool(found.masked)
        tally["lit frames with a hand seen"] += found.hand
        tally["lit frames read otherwise when nobody knows"] += bool(found.unaware)
        if found.dark or found.hand or found.masked:
            print(case, found, flush=True)  # noqa: T201
    for name, cases in tally.items():
        print(f"{cases:6} {name}")  # noqa: T201
